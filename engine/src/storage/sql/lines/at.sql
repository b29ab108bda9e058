SELECT l.id, l.byte_offset, l.byte_len, l.line_no
FROM line l
WHERE l.file_id = $1 AND l.line_no = $2
