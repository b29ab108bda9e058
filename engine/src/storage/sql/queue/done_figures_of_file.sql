SELECT c.currency, CAST(SUM(c.at_risk / 1000000000) AS BIGINT) AS at_risk_high,
       CAST(SUM(c.at_risk % 1000000000) AS BIGINT) AS at_risk_low, COUNT(*) AS cases, MIN(c.resolved_at) AS oldest
FROM case_now c
WHERE c.state = 'RESOLVED'
    AND ($1 = '' OR c.kind = $1)
    AND ($2 = 0 OR c.account_id = $2)
    AND ($3 = '' OR c.currency = $3)
    AND c.at_risk >= $4
    AND (
        c.file_id = $5
        OR EXISTS (SELECT 1 FROM line l WHERE l.id = c.line_id AND l.file_id = $5)
        OR EXISTS (
            SELECT 1
            FROM line_now n
            CROSS JOIN line l
            WHERE c.line_id IS NOT NULL AND n.intent_id = c.intent_id AND n.intent_id IS NOT NULL
                AND n.verdict = 'CONFLICT' AND l.id = n.line_id AND l.file_id = $5
        )
    )
GROUP BY c.currency
ORDER BY c.currency
