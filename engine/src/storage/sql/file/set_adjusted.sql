UPDATE batch_now SET adjusted = $3 WHERE batch_id = $1 AND currency = $2
