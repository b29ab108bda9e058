SELECT a.provider_payment_id AS key, a.id AS attempt_id, a.public_id AS attempt, i.id AS intent_id,
       i.public_id AS intent, i.merchant_reference, a.idempotency_key, i.amount, i.currency, i.direction,
       i.operation, a.outcome
FROM rows CROSS JOIN attempt a
JOIN intent i ON i.id = a.intent_id
WHERE a.account_id = rows.account_id AND a.provider_payment_id = rows.key AND a.provider_payment_id <> '' AND NOT EXISTS (SELECT 1 FROM attempt b WHERE b.intent_id = i.id AND b.id <> a.id)
    AND NOT EXISTS (SELECT 1 FROM attempt_now n WHERE n.attempt_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM intent_open o WHERE o.intent_id = i.id)
    AND NOT EXISTS (SELECT 1 FROM case_now c WHERE c.intent_id = i.id AND c.state <> 'RESOLVED')
