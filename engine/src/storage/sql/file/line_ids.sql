SELECT l.line_no, l.id, n.seq
FROM line l
JOIN line_now n ON n.line_id = l.id
WHERE l.file_id = $1 AND l.line_no BETWEEN $2 AND $3
ORDER BY l.line_no
