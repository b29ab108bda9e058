SELECT f.sha256 AS file, l.line_no, CAST(CASE WHEN r.line_id IS NULL THEN 0 ELSE 1 END AS BIGINT) AS known
FROM line AS l
JOIN settlement_file AS f ON f.id = l.file_id
JOIN line_now AS n ON n.line_id = l.id
LEFT JOIN row_identity_now AS r ON r.account_id = f.account_id AND r.identity = l.identity
WHERE n.verdict IN ('PENDING', 'MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
    AND r.line_id IS DISTINCT FROM l.id
ORDER BY l.id
LIMIT 1
