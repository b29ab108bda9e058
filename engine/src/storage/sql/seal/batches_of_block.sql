SELECT b.id, b.record, b.first_id, b.last_id, b.part, b.refs, b.leaf_count, b.leaves
FROM block_batch AS bb
JOIN leaf_batch AS b ON b.id = bb.leaf_batch_id
WHERE bb.block_number = $1 AND bb.position > $2
ORDER BY bb.position
LIMIT $3
