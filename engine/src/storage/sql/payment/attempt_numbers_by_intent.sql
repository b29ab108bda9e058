SELECT a.intent_id, a.number, a.public_id
FROM rows CROSS JOIN attempt a ON a.intent_id = rows.intent_id
