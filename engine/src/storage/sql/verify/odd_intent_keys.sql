SELECT k.intent_id, k.key, i.public_id AS intent, i.merchant_reference AS reference
FROM intent_key_now AS k
JOIN intent AS i ON i.id = k.intent_id
WHERE k.intent_id >= $1 AND (k.intent_id > $1 OR k.key > $2)
    AND NOT EXISTS (
        SELECT 1 FROM attempt AS a WHERE a.intent_id = k.intent_id AND a.idempotency_key = k.key
    )
ORDER BY k.intent_id, k.key
LIMIT $3
