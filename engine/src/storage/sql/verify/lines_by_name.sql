SELECT l.file_id, l.line_no, l.id
FROM rows
CROSS JOIN line AS l
WHERE l.file_id = rows.file_id AND l.line_no = rows.line_no
