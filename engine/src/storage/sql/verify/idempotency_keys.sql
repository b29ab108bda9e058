SELECT a.intent_id, a.idempotency_key
FROM rows
CROSS JOIN attempt AS a
WHERE a.intent_id = rows.intent_id
