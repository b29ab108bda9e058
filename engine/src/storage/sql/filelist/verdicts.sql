SELECT v.file_id, v.verdict, v.line_count
FROM rows
CROSS JOIN file_verdict_now v
WHERE v.file_id = rows.file_id AND v.line_count <> 0
