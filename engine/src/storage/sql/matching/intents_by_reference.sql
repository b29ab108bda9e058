SELECT i.id
FROM rows CROSS JOIN intent i
WHERE i.merchant_reference = rows.key AND i.merchant_reference <> '' AND i.created_at < rows.until
UNION
SELECT i.id
FROM rows CROSS JOIN intent i
WHERE i.public_id = rows.key
UNION
SELECT k.intent_id
FROM rows CROSS JOIN intent_key_now k
WHERE k.key = rows.key
