DELETE FROM line_bucket_now WHERE line_id IN (SELECT line_id FROM rows)
RETURNING account_id, currency, amount, direction
