SELECT a.intent_id
FROM rows CROSS JOIN attempt a ON a.account_id = rows.account_id AND a.provider_payment_id = rows.key
WHERE a.provider_payment_id <> ''
UNION
SELECT a.intent_id
FROM rows CROSS JOIN attempt_id_now d ON d.account_id = rows.account_id AND d.provider_payment_id = rows.key
JOIN attempt a ON a.id = d.attempt_id
