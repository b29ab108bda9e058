SELECT b.id, b.record, b.first_id, b.last_id, b.part, b.refs, b.leaf_count, b.leaves
FROM leaf_batch AS b
WHERE b.record = $1 AND b.first_id <= $2 AND b.first_id >= $3 AND b.last_id >= $2
ORDER BY b.first_id DESC
