SELECT a.provider_payment_id AS key, a.id AS attempt_id, a.public_id AS attempt, i.id AS intent_id,
       i.public_id AS intent, i.merchant_reference, a.idempotency_key, i.amount, i.currency, i.direction,
       i.operation, a.outcome
FROM rows CROSS JOIN attempt a
JOIN intent i ON i.id = a.intent_id
WHERE a.account_id = rows.account_id AND a.provider_payment_id = rows.key AND a.provider_payment_id <> '' AND NOT EXISTS (SELECT 1 FROM attempt b WHERE b.intent_id = i.id AND b.id <> a.id)
    AND NOT EXISTS (SELECT 1 FROM attempt_now n WHERE n.attempt_id = a.id)
    AND NOT EXISTS (SELECT 1 FROM intent_open o WHERE o.intent_id = i.id)
    AND NOT EXISTS (SELECT 1 FROM case_now c WHERE c.intent_id = i.id AND c.state <> 'RESOLVED')
    AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.attempt_id = a.id)
    AND NOT EXISTS (
        SELECT 1 FROM attempt_id_now d
        WHERE d.account_id = a.account_id AND d.provider_payment_id = a.provider_payment_id
    )
    AND NOT EXISTS (
        SELECT 1 FROM ruling_now r
        WHERE r.subject IN ('attempt:' || a.public_id, 'missing:' || a.public_id, 'external:' || a.public_id)
    )
    AND NOT EXISTS (
        SELECT 1 FROM line_key_now k
        WHERE k.account_id = a.account_id AND k.key IN (
            'p:' || a.provider_payment_id, 'm:' || a.provider_payment_id, 'r:' || i.merchant_reference,
            'r:' || i.public_id, 'r:' || a.idempotency_key
        )
    )
    AND NOT EXISTS (
        SELECT 1 FROM line_bucket_now b
        WHERE b.account_id = a.account_id AND b.currency = i.currency AND b.amount = i.amount
            AND b.direction = i.direction
    )
