SELECT record, CAST(SUM(leaf_count) AS BIGINT) AS leaves
FROM leaf_batch
GROUP BY record
