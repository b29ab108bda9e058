SELECT s.public_id, s.name, n.state, n.rows_done, n.rows_total, n.error, n.failures, s.id
FROM rows
CROSS JOIN settlement_file s
JOIN file_now n ON n.file_id = s.id
WHERE s.public_id = rows.public_id
