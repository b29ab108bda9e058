SELECT n.account_id, n.file_id, n.state, n.first_day, n.last_day, s.public_id, s.sha256
FROM file_now n
JOIN settlement_file s ON s.id = n.file_id
WHERE n.account_id = $1 AND n.last_day >= $2 AND n.first_day <= $3
ORDER BY n.file_id DESC
LIMIT 500
