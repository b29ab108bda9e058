SELECT
    r.public_id, c.kind, c.state, c.version, c.account_id, a.name AS account, a.zone, c.currency, c.at_risk, c.severity,
    c.opened_at, c.due_at, c.owner_id, o.email AS owner, c.wake_at, c.subject, c.facts, c.case_id, c.resolution, c.resolved_at
FROM case_now c
JOIN review_case r ON r.id = c.case_id
JOIN provider_account a ON a.id = c.account_id
LEFT JOIN user_account o ON o.id = c.owner_id
WHERE c.state = 'RESOLVED'
    AND ($1 = '' OR c.kind = $1)
    AND ($2 = 0 OR c.account_id = $2)
    AND ($3 = '' OR c.currency = $3)
    AND c.at_risk >= $4
    AND (
        $7 = 0
        OR c.file_id = $7
        OR EXISTS (SELECT 1 FROM line l WHERE l.id = c.line_id AND l.file_id = $7)
        OR EXISTS (
            SELECT 1
            FROM line_now n
            CROSS JOIN line l
            WHERE c.line_id IS NOT NULL AND n.intent_id = c.intent_id AND n.intent_id IS NOT NULL
                AND n.verdict = 'CONFLICT' AND l.id = n.line_id AND l.file_id = $7
        )
    )
    AND (c.resolved_at, c.case_id) < ($5, $6)
ORDER BY c.resolved_at DESC, c.case_id DESC
LIMIT 51
