SELECT c.currency, CAST(SUM(c.at_risk / 1000000000) AS BIGINT) AS at_risk_high,
       CAST(SUM(c.at_risk % 1000000000) AS BIGINT) AS at_risk_low, COUNT(*) AS cases, MIN(c.opened_at) AS oldest
FROM case_now c
WHERE c.state <> 'RESOLVED'
    AND (
        ($1 = 'all' AND c.state <> 'WAITING')
        OR ($1 = 'mine' AND c.owner_id = $2)
        OR ($1 = 'over_48h' AND c.state <> 'WAITING' AND c.opened_at < $3)
        OR ($1 = 'waiting' AND c.state = 'WAITING')
    )
    AND ($4 = '' OR c.kind = $4)
    AND ($5 = 0 OR c.account_id = $5)
    AND ($6 = '' OR c.currency = $6)
    AND c.at_risk >= $7
    AND ($8 = 0 OR c.owner_id = $8 OR ($8 = -1 AND c.owner_id IS NULL))
    AND (
        c.file_id = $9
        OR EXISTS (SELECT 1 FROM line l WHERE l.id = c.line_id AND l.file_id = $9)
        OR EXISTS (
            SELECT 1
            FROM line_now n
            CROSS JOIN line l
            WHERE c.line_id IS NOT NULL AND n.intent_id = c.intent_id AND n.intent_id IS NOT NULL
                AND n.verdict = 'CONFLICT' AND l.id = n.line_id AND l.file_id = $9
        )
    )
GROUP BY c.currency
ORDER BY c.currency
