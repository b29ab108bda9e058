SELECT b.id, b.record, b.first_id, b.last_id, b.part, b.refs, b.leaf_count, b.leaves
FROM leaf_batch AS b
WHERE b.id > $1
ORDER BY b.id
LIMIT $2
