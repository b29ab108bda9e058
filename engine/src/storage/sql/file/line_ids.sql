SELECT line_no, id FROM line WHERE file_id = $1 AND line_no BETWEEN $2 AND $3 ORDER BY line_no
