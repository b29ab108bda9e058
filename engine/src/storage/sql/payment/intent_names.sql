SELECT i.id, i.public_id, i.merchant_reference
FROM rows CROSS JOIN intent i
WHERE i.id = rows.intent_id
