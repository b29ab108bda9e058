SELECT r.line_no, r.byte_offset, r.byte_len, r.column_name, r.message
FROM rejected_row r
WHERE r.file_id = $1 AND r.line_no > $2
ORDER BY r.line_no
LIMIT 1000
