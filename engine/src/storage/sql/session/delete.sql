DELETE FROM session
WHERE id_hash = $1
