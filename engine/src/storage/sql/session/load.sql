SELECT data, expires_at
FROM session
WHERE id_hash = $1 AND expires_at > $2
