SELECT l.id, l.line_no
FROM line l
JOIN line_now n ON n.line_id = l.id
WHERE l.file_id = $1 AND l.line_no > $2 AND n.verdict <> 'HELD'
ORDER BY l.line_no
LIMIT $3
