SELECT b.id, b.leaf_count
FROM leaf_waiting AS w
JOIN leaf_batch AS b ON b.id = w.leaf_batch_id
ORDER BY w.leaf_batch_id
LIMIT $1
