UPDATE session
SET user_id = $2, data = $3, expires_at = $4
WHERE id_hash = $1
