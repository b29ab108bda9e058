-- The plus keeps the search on the attempts of the intent, not on all of the account.
SELECT rows.account_id, rows.held AS held, i.public_id AS intent, i.operation, a.public_id AS attempt
FROM rows CROSS JOIN intent_key_now k
JOIN intent i ON i.id = k.intent_id
JOIN attempt a ON a.intent_id = k.intent_id
WHERE k.key = rows.key
    AND +a.account_id = rows.account_id AND a.idempotency_key = rows.held
UNION ALL
SELECT rows.account_id, rows.held AS held, i.public_id AS intent, i.operation, a.public_id AS attempt
FROM rows CROSS JOIN intent i
JOIN attempt a ON a.intent_id = i.id
WHERE i.public_id = rows.key
    AND +a.account_id = rows.account_id AND a.idempotency_key = rows.held
UNION ALL
SELECT rows.account_id, rows.held AS held, i.public_id AS intent, i.operation, a.public_id AS attempt
FROM rows CROSS JOIN intent i
JOIN attempt a ON a.intent_id = i.id
WHERE i.merchant_reference = rows.key AND i.merchant_reference <> ''
    AND +a.account_id = rows.account_id AND a.idempotency_key = rows.held
