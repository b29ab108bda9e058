SELECT r.public_id
FROM case_now c
JOIN review_case r ON r.id = c.case_id
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
    AND ($11 = 0 OR c.owner_id = $11 OR ($11 = -1 AND c.owner_id IS NULL))
    AND (
        $12 = 0
        OR c.file_id = $12
        OR EXISTS (SELECT 1 FROM line l WHERE l.id = c.line_id AND l.file_id = $12)
        OR EXISTS (
            SELECT 1
            FROM line_now n
            CROSS JOIN line l
            WHERE c.line_id IS NOT NULL AND n.intent_id = c.intent_id AND n.intent_id IS NOT NULL
                AND n.verdict = 'CONFLICT' AND l.id = n.line_id AND l.file_id = $12
        )
    )
    AND c.severity >= $8
    AND (c.severity > $8 OR (c.opened_at, c.case_id) < ($9, $10))
ORDER BY c.severity, c.opened_at DESC, c.case_id DESC
LIMIT 1
