SELECT i.id
FROM rows CROSS JOIN intent i ON i.merchant_reference = rows.key
WHERE i.merchant_reference <> ''
UNION
SELECT i.id
FROM rows CROSS JOIN intent i ON i.public_id = rows.key
UNION
SELECT k.intent_id
FROM rows CROSS JOIN intent_key_now k ON k.key = rows.key
