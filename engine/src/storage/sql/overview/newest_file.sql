SELECT s.received_at
FROM file_now n
JOIN settlement_file s ON s.id = n.file_id
WHERE n.account_id = $1
ORDER BY n.file_id DESC
LIMIT 1
