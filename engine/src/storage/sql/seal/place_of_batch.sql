SELECT bb.block_number, (
    SELECT CAST(COALESCE(SUM(b.leaf_count), 0) AS BIGINT)
    FROM block_batch AS o
    JOIN leaf_batch AS b ON b.id = o.leaf_batch_id
    WHERE o.block_number = bb.block_number AND o.position < bb.position
) AS before
FROM block_batch AS bb
WHERE bb.leaf_batch_id = $1
