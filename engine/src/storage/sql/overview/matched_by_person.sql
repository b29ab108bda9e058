SELECT l.file_id, COUNT(*)
FROM rows
CROSS JOIN line l
CROSS JOIN line_now n
WHERE l.file_id = rows.file_id AND l.line_no = rows.line_no
  AND n.line_id = l.id AND n.verdict = 'MATCHED' AND n.rule = 'person'
GROUP BY l.file_id
