SELECT
    COUNT(*) AS unresolved,
    CAST(COALESCE(SUM(CASE WHEN c.state = 'WAITING' THEN 1 ELSE 0 END), 0) AS BIGINT) AS waiting,
    CAST(COALESCE(SUM(CASE WHEN c.owner_id = $1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS mine,
    CAST(COALESCE(SUM(CASE WHEN c.state <> 'WAITING' AND c.opened_at < $2 THEN 1 ELSE 0 END), 0) AS BIGINT) AS over_48h
FROM case_now c
WHERE c.state <> 'RESOLVED'
