SELECT a.intent_id
FROM rows CROSS JOIN attempt a
WHERE a.account_id = rows.account_id AND a.provider_payment_id = rows.key AND a.provider_payment_id <> ''
UNION
SELECT a.intent_id
FROM rows CROSS JOIN attempt_id_now d
JOIN attempt a ON a.id = d.attempt_id
WHERE d.account_id = rows.account_id AND d.provider_payment_id = rows.key
