SELECT DISTINCT account_id FROM rematch ORDER BY account_id
