SELECT started_at FROM attempt WHERE account_id = $1 ORDER BY started_at LIMIT 1
