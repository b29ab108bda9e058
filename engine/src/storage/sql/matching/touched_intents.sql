-- The plus sign keeps SQLite on the range: an index over accounts would lead to every attempt of one.
SELECT DISTINCT a.intent_id
FROM attempt a
JOIN intent i ON i.id = a.intent_id
WHERE a.id BETWEEN $2 AND $3 AND +a.account_id = $1
    AND (
        a.number > 1
        OR EXISTS (SELECT 1 FROM attempt o WHERE o.intent_id = a.intent_id AND o.number > 1)
        OR EXISTS (
            SELECT 1 FROM line_key_now k
            WHERE k.account_id = $1 AND a.provider_payment_id <> ''
                AND k.key IN ('p:' || a.provider_payment_id, 'm:' || a.provider_payment_id)
        )
        OR EXISTS (
            SELECT 1 FROM line_key_now k
            WHERE k.account_id = $1 AND k.key IN ('r:' || i.merchant_reference, 'r:' || i.public_id)
        )
        OR EXISTS (
            SELECT 1 FROM intent_key_now ik JOIN line_key_now k ON k.account_id = $1 AND k.key = 'r:' || ik.key
            WHERE ik.intent_id = a.intent_id
        )
        OR EXISTS (SELECT 1 FROM line_now n WHERE n.intent_id = a.intent_id)
        OR EXISTS (SELECT 1 FROM line_share_now s WHERE s.intent_id = a.intent_id)
        OR EXISTS (SELECT 1 FROM attempt_now w WHERE w.attempt_id = a.id AND w.seq > 0)
        OR EXISTS (SELECT 1 FROM evidence e WHERE e.attempt_id = a.id)
        OR EXISTS (
            SELECT 1 FROM attempt o
            WHERE o.account_id = $1 AND o.provider_payment_id = a.provider_payment_id
                AND o.provider_payment_id <> '' AND o.id <> a.id
        )
        OR EXISTS (
            SELECT 1 FROM line_bucket_now b
            WHERE b.account_id = $1 AND b.currency = i.currency AND b.amount = i.amount AND b.direction = i.direction
        )
    )
ORDER BY a.intent_id
