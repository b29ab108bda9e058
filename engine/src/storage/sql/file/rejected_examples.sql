SELECT line_no, column_name, value, reason, message FROM rejected_row
WHERE file_id = $1
ORDER BY line_no
LIMIT $2
