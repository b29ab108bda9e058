SELECT COALESCE(MIN(n.first_id), $2)
FROM (
    SELECT b.first_id
    FROM leaf_batch AS b
    WHERE b.record = $1 AND b.first_id <= $2
    ORDER BY b.first_id DESC
    LIMIT 20
) AS n
