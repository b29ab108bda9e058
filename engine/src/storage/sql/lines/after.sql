SELECT MIN(found.line_no)
FROM (
    SELECT MIN(line_no) AS line_no FROM line WHERE file_id = $1 AND line_no > $2
    UNION ALL
    SELECT MIN(line_no) FROM rejected_row WHERE file_id = $1 AND line_no > $2
) found
