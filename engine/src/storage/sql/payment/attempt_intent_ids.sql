SELECT a.public_id, a.intent_id
FROM rows CROSS JOIN attempt a
WHERE a.public_id = rows.public_id
