SELECT i.currency, COUNT(*) AS attempts, MIN(n.since) AS oldest,
    CAST(SUM(i.amount / 1000000000) AS BIGINT) AS amount_high, CAST(SUM(i.amount % 1000000000) AS BIGINT) AS amount_low
FROM attempt_now n
JOIN attempt a ON a.id = n.attempt_id
JOIN intent i ON i.id = a.intent_id
WHERE n.outcome = 'unknown'
GROUP BY i.currency
ORDER BY i.currency
