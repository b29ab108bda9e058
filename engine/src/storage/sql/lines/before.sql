SELECT MAX(found.line_no)
FROM (
    SELECT MAX(line_no) AS line_no FROM line WHERE file_id = $1 AND line_no < $2
    UNION ALL
    SELECT MAX(line_no) FROM rejected_row WHERE file_id = $1 AND line_no < $2
) found
