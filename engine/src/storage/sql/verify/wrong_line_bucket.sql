SELECT s.file, s.line_no, CAST(s.waits AS BIGINT) AS waits
FROM (
    SELECT l.id, f.sha256 AS file, l.line_no, 1 AS waits
    FROM line_bucket_now AS b
    JOIN line AS l ON l.id = b.line_id
    JOIN settlement_file AS f ON f.id = l.file_id
    WHERE b.account_id <> f.account_id OR b.currency <> l.presented_currency
        OR b.amount <> ABS(l.presented_amount)
        OR b.direction <> CASE
            WHEN l.kind = 'payment' THEN 'in'
            WHEN l.kind IN ('disbursement', 'refund') THEN 'out'
            ELSE 'none'
        END
    UNION ALL
    SELECT l.id, f.sha256, l.line_no, 0
    FROM line_now AS n
    JOIN line AS l ON l.id = n.line_id
    JOIN settlement_file AS f ON f.id = l.file_id
    WHERE (n.verdict = 'UNMATCHED' OR n.rule = 'R4') AND l.kind IN ('payment', 'disbursement', 'refund')
        AND NOT EXISTS (SELECT 1 FROM line_bucket_now AS b WHERE b.line_id = n.line_id)
) AS s
ORDER BY s.id
LIMIT 1
