-- A line in a bucket is tied to nobody, whatever it was tied to until now.
-- The plus signs keep SQLite from the index over start times, which leads to every attempt of the account.
SELECT DISTINCT i.id
FROM rows
CROSS JOIN intent i
CROSS JOIN attempt a
LEFT JOIN attempt_now n ON n.attempt_id = a.id
WHERE i.currency = rows.currency AND i.amount = rows.amount AND i.created_at <= rows.until AND i.direction = rows.direction
    AND a.intent_id = i.id AND +a.account_id = rows.account_id
    AND +a.started_at >= rows.since AND +a.started_at <= rows.until
    AND COALESCE(n.outcome, a.outcome) NOT IN ('rejected', 'absent')
    AND NOT EXISTS (
        SELECT 1 FROM line_now l
        WHERE l.intent_id = i.id AND NOT EXISTS (SELECT 1 FROM line_bucket_now w WHERE w.line_id = l.line_id)
    )
    AND NOT EXISTS (
        SELECT 1 FROM line_share_now s
        WHERE s.intent_id = i.id AND NOT EXISTS (SELECT 1 FROM line_bucket_now w WHERE w.line_id = s.line_id)
    )
