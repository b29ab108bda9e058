SELECT page.intent_id, page.started_at, i.currency, i.amount
FROM (
    SELECT a.id, a.public_id, a.intent_id, a.outcome, a.started_at
    FROM attempt a
    WHERE a.account_id = $1 AND a.started_at < $2
    ORDER BY a.started_at DESC
    LIMIT $3
) page
JOIN intent i ON i.id = page.intent_id
LEFT JOIN attempt_now n ON n.attempt_id = page.id
WHERE COALESCE(n.outcome, page.outcome) = 'succeeded'
    AND COALESCE(n.written_off, 0) = 0
    AND NOT EXISTS (SELECT 1 FROM line_now l WHERE l.intent_id = page.intent_id)
    AND NOT EXISTS (SELECT 1 FROM line_share_now s WHERE s.intent_id = page.intent_id)
    AND NOT EXISTS (
        SELECT 1 FROM case_now c
        WHERE c.kind = 'missing_settlement' AND c.subject = 'attempt:' || page.public_id AND c.state <> 'RESOLVED'
    )
