SELECT id, account_id, what, first_id, last_id FROM rematch WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
