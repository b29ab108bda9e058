SELECT COALESCE(p.name, 'no provider account') AS provider, r.line_id
FROM row_identity_now AS r
LEFT JOIN provider_account AS p ON p.id = r.account_id
LEFT JOIN line AS l ON l.id = r.line_id
LEFT JOIN settlement_file AS f ON f.id = l.file_id
LEFT JOIN line_now AS n ON n.line_id = r.line_id
WHERE l.id IS NULL OR l.identity <> r.identity OR f.account_id <> r.account_id
    OR n.verdict NOT IN ('PENDING', 'MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
ORDER BY r.line_id
LIMIT 1
