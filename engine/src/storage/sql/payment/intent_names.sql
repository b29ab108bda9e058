SELECT i.id, i.public_id, i.merchant_reference
FROM rows CROSS JOIN intent i ON i.id = rows.intent_id
