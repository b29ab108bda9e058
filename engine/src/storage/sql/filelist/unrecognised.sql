SELECT l.file_id, COUNT(*) AS line_count
FROM rows CROSS JOIN settlement_file f CROSS JOIN line_now n CROSS JOIN line l
WHERE f.id = rows.file_id AND n.account_id = f.account_id AND n.verdict IN ('PENDING', 'UNMATCHED')
    -- The index's own condition, which SQLite does not infer.
    AND n.verdict IN ('PENDING', 'PROPOSED', 'CONFLICT', 'UNMATCHED')
    AND l.id = n.line_id AND l.file_id = f.id AND l.kind = 'unrecognised'
GROUP BY l.file_id
