SELECT COUNT(*)
FROM (
    SELECT a.id, a.intent_id, a.outcome
    FROM attempt a
    WHERE a.account_id = $1 AND a.started_at >= $2
    ORDER BY a.started_at
    LIMIT $3
) page
LEFT JOIN attempt_now n ON n.attempt_id = page.id
WHERE COALESCE(n.outcome, page.outcome) = 'succeeded'
    AND COALESCE(n.written_off, 0) = 0
    AND NOT EXISTS (SELECT 1 FROM line_now l WHERE l.intent_id = page.intent_id)
    AND NOT EXISTS (SELECT 1 FROM line_share_now s WHERE s.intent_id = page.intent_id)
