SELECT k.intent_id, k.key
FROM rows
CROSS JOIN intent_key_now AS k
WHERE k.intent_id = rows.intent_id
