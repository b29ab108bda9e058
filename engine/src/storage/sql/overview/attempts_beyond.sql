SELECT a.id
FROM attempt a
WHERE a.account_id = $1 AND a.started_at >= $2 AND a.started_at < $3
ORDER BY a.started_at
LIMIT 1 OFFSET $4
