SELECT l.id
FROM line l
JOIN verdict v ON v.line_id = l.id
WHERE l.file_id = $1 AND l.line_no BETWEEN $2 AND $3 AND v.entry_id = $4
ORDER BY l.line_no
LIMIT 100
