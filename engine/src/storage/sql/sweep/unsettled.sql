SELECT a.id AS attempt_id, a.intent_id, a.started_at AS since
FROM attempt a
LEFT JOIN attempt_now n ON n.attempt_id = a.id
WHERE a.account_id = $1 AND a.started_at >= $2 AND (a.started_at > $2 OR a.id > $3) AND a.started_at < $4
    AND COALESCE(n.outcome, a.outcome) = 'succeeded' AND COALESCE(n.written_off, 0) = 0
    AND NOT EXISTS (SELECT 1 FROM line_now l WHERE l.intent_id = a.intent_id)
    AND NOT EXISTS (SELECT 1 FROM line_share_now s WHERE s.intent_id = a.intent_id)
    AND NOT EXISTS (SELECT 1 FROM ruling_now r WHERE r.subject = 'external:' || a.public_id)
    AND NOT EXISTS (
        SELECT 1 FROM case_now c
        WHERE c.kind = 'missing_settlement' AND c.subject = 'attempt:' || a.public_id AND c.state <> 'RESOLVED'
    )
ORDER BY a.started_at, a.id
LIMIT $5
