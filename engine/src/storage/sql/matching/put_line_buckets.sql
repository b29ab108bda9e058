INSERT INTO line_bucket_now (account_id, currency, amount, direction, line_id)
SELECT account_id, currency, amount, direction, line_id
FROM rows
WHERE TRUE
ON CONFLICT (account_id, currency, amount, direction, line_id) DO NOTHING
