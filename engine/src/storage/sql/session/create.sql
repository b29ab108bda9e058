INSERT INTO session (id_hash, user_id, data, expires_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id_hash) DO NOTHING
