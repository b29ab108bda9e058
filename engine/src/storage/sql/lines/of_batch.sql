SELECT l.id, l.file_id
FROM line l
WHERE l.id >= $1 AND l.id <= $2 AND l.batch_id = $3
ORDER BY l.id
LIMIT 6
