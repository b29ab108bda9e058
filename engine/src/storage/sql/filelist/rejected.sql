SELECT line_no, byte_offset, byte_len, row_id, column_name, value, reason, message
FROM rejected_row
WHERE file_id = $1
ORDER BY line_no
LIMIT 50
