SELECT i.currency, COUNT(*) AS attempts, CAST(SUM(i.amount / 1000000000) AS BIGINT) AS amount_high,
    CAST(SUM(i.amount % 1000000000) AS BIGINT) AS amount_low
FROM attempt a
JOIN intent i ON i.id = a.intent_id
LEFT JOIN attempt_now n ON n.attempt_id = a.id
WHERE a.account_id = $1 AND a.started_at >= $2 AND a.started_at < $3
    AND COALESCE(n.outcome, a.outcome) NOT IN ('rejected', 'absent')
    AND NOT EXISTS (SELECT 1 FROM line_now l WHERE l.intent_id = a.intent_id)
GROUP BY i.currency
ORDER BY i.currency
