SELECT n.line_id
FROM line_now n
WHERE n.account_id = $1 AND n.verdict = 'PENDING' AND n.line_id > $2
ORDER BY n.line_id
LIMIT $3
