INSERT INTO intent_key_now (key, intent_id)
SELECT key, intent_id
FROM rows
WHERE TRUE
ON CONFLICT (key, intent_id) DO NOTHING
