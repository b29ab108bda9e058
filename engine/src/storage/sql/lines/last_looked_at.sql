SELECT MAX(page.line_no)
FROM (
    SELECT l.line_no
    FROM line l
    WHERE l.file_id = $1 AND l.line_no > $2
    ORDER BY l.line_no
    LIMIT 20000
) page
