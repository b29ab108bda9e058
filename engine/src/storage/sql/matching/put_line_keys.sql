INSERT INTO line_key_now (account_id, key, line_id)
SELECT account_id, key, line_id
FROM rows
WHERE TRUE
ON CONFLICT (account_id, key, line_id) DO NOTHING
