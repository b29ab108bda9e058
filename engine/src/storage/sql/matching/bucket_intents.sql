SELECT DISTINCT i.id
FROM rows CROSS JOIN intent i
JOIN attempt a ON a.intent_id = i.id AND a.account_id = rows.account_id
    AND a.started_at >= rows.since AND a.started_at <= rows.until
LEFT JOIN attempt_now n ON n.attempt_id = a.id
WHERE i.currency = rows.currency AND i.amount = rows.amount AND i.created_at <= rows.until AND i.direction = rows.direction
    AND COALESCE(n.outcome, a.outcome) NOT IN ('rejected', 'absent')
    AND NOT EXISTS (SELECT 1 FROM line_now l WHERE l.intent_id = i.id)
    AND NOT EXISTS (SELECT 1 FROM line_share_now s WHERE s.intent_id = i.id)
