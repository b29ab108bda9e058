SELECT rows.account_id, rows.held AS held, i.public_id AS intent, i.operation, a.public_id AS attempt
FROM rows CROSS JOIN attempt a
JOIN intent i ON i.id = a.intent_id
WHERE a.account_id = rows.account_id AND a.provider_payment_id = rows.held AND a.provider_payment_id <> ''
UNION ALL
SELECT rows.account_id, rows.held, i.public_id, i.operation, a.public_id
FROM rows CROSS JOIN attempt_id_now d
JOIN attempt a ON a.id = d.attempt_id
JOIN intent i ON i.id = a.intent_id
WHERE d.account_id = rows.account_id AND d.provider_payment_id = rows.held AND d.learned_from <> 'line'
