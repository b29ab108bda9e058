SELECT CAST(COALESCE(SUM(rows_done), 0) AS BIGINT)
FROM file_now
WHERE account_id = $1 AND file_id <> $2 AND state IN ('POSTING', 'CLOSING', 'USED')
