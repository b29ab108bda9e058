SELECT s.public_id, e.detail
FROM file_now n
JOIN settlement_file s ON s.id = n.file_id
JOIN file_event e ON e.file_id = n.file_id
WHERE n.state = 'HELD' AND e.seq = n.seq
ORDER BY n.file_id
LIMIT 1000
