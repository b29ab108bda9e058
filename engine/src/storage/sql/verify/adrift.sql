SELECT b.id, b.record
FROM leaf_batch AS b
WHERE NOT EXISTS (SELECT 1 FROM block_batch AS x WHERE x.leaf_batch_id = b.id)
    AND NOT EXISTS (SELECT 1 FROM leaf_waiting AS w WHERE w.leaf_batch_id = b.id)
ORDER BY b.id
LIMIT 1
