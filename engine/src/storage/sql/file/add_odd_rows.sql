UPDATE batch_now SET odd_rows = odd_rows + $3 WHERE batch_id = $1 AND currency = $2
