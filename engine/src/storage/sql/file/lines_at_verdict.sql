SELECT l.line_no
FROM line l
JOIN line_now n ON n.line_id = l.id
WHERE l.file_id = $1 AND n.verdict = $2
ORDER BY l.line_no
LIMIT $3
