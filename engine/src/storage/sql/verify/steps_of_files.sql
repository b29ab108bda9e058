SELECT f.id, n.account_id AS account_now, e.seq, e.state, e.detail
FROM rows
CROSS JOIN settlement_file AS f
JOIN file_now AS n ON n.file_id = f.id
JOIN file_event AS e ON e.file_id = f.id
WHERE f.id = rows.id
    AND NOT EXISTS (SELECT 1 FROM file_event AS o WHERE o.file_id = e.file_id AND o.seq > e.seq)
