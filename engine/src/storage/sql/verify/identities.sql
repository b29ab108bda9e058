SELECT l.id, CAST(CASE WHEN r.line_id IS NULL THEN 0 WHEN r.line_id = l.id THEN 1 ELSE 2 END AS BIGINT) AS known, r.content
FROM line AS l
JOIN settlement_file AS f ON f.id = l.file_id
JOIN line_now AS n ON n.line_id = l.id
LEFT JOIN row_identity_now AS r ON r.account_id = f.account_id AND r.identity = l.identity
WHERE l.id >= $1 AND l.id <= $2
    AND n.verdict IN ('PENDING', 'MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
