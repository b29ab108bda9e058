SELECT f.sha256 AS file, l.line_no, COALESCE(n.verdict, '') AS verdict_now,
    COALESCE(v.verdict, '') AS verdict
FROM line AS l
JOIN settlement_file AS f ON f.id = l.file_id
LEFT JOIN settlement_batch AS b ON b.id = l.batch_id
LEFT JOIN line_now AS n ON n.line_id = l.id
LEFT JOIN verdict AS v ON v.line_id = l.id AND v.seq = n.seq
WHERE n.line_id IS NULL
    OR n.account_id <> f.account_id
    OR (l.batch_id <> 0 AND b.account_id IS DISTINCT FROM f.account_id)
    OR EXISTS (SELECT 1 FROM verdict AS o WHERE o.line_id = l.id AND o.seq > n.seq)
    OR (n.verdict = 'PENDING' AND (
        n.rule <> 'none' OR n.contra <> '' OR n.contra_amount <> 0 OR n.contra_currency <> ''
        OR n.intent_id IS NOT NULL OR n.attempt_id IS NOT NULL
        OR (n.seq > 0 AND v.verdict IS DISTINCT FROM 'HELD')
        OR NOT EXISTS (
            SELECT 1 FROM file_now AS w WHERE w.file_id = l.file_id AND w.state IN ('POSTING', 'CLOSING')
        )
    ))
    OR (n.verdict <> 'PENDING' AND (
        v.verdict IS NULL
        OR v.verdict <> n.verdict OR v.rule <> n.rule
        OR v.intent_id IS DISTINCT FROM n.intent_id
        OR v.attempt_id IS DISTINCT FROM n.attempt_id
        OR v.contra <> n.contra OR v.contra_amount <> n.contra_amount
        OR v.contra_currency <> n.contra_currency
    ))
ORDER BY l.id
LIMIT 1
