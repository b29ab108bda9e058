INSERT INTO session (id_hash, user_id, data, expires_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id_hash) DO UPDATE
SET user_id = excluded.user_id, data = excluded.data, expires_at = excluded.expires_at
