SELECT bb.block_number, bb.position, b.id, b.record, b.first_id, b.last_id, b.part, b.refs,
    b.leaf_count, b.leaves
FROM block_batch AS bb
JOIN leaf_batch AS b ON b.id = bb.leaf_batch_id
WHERE b.record = $1
    AND bb.block_number >= $2 AND (bb.block_number > $2 OR bb.position > $3)
    AND bb.block_number <= $4
ORDER BY bb.block_number, bb.position
LIMIT 20
