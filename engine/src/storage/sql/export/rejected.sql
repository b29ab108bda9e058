SELECT line_no, row_id FROM rejected_row WHERE file_id = $1 AND line_no > $2 ORDER BY line_no LIMIT 5000
