SELECT i.id
FROM intent i
WHERE i.id BETWEEN $2 AND $3
    AND (
        EXISTS (
            SELECT 1 FROM line_key_now k
            WHERE k.account_id = $1 AND k.key IN ('r:' || i.merchant_reference, 'r:' || i.public_id)
        )
        OR EXISTS (
            SELECT 1 FROM intent_key_now ik JOIN line_key_now k ON k.account_id = $1 AND k.key = 'r:' || ik.key
            WHERE ik.intent_id = i.id
        )
    )
ORDER BY i.id
