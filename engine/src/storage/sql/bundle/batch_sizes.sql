SELECT b.record, b.leaf_count
FROM block_batch AS bb
JOIN leaf_batch AS b ON b.id = bb.leaf_batch_id
WHERE bb.block_number = $1
ORDER BY bb.position
