DELETE FROM session
WHERE user_id = $1 AND id_hash <> $2
