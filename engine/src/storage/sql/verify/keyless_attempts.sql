SELECT a.id, a.intent_id, i.public_id AS intent, i.merchant_reference AS reference, a.idempotency_key
FROM attempt AS a
JOIN intent AS i ON i.id = a.intent_id
WHERE a.id > $1 AND a.idempotency_key <> ''
    AND a.idempotency_key <> i.public_id AND a.idempotency_key <> i.merchant_reference
    AND NOT EXISTS (
        SELECT 1 FROM intent_key_now AS k WHERE k.key = a.idempotency_key AND k.intent_id = a.intent_id
    )
ORDER BY a.id
LIMIT $2
