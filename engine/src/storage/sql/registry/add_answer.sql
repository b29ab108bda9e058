INSERT INTO registry_answer (kind, key, input_hash, answer, at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (kind, key) DO NOTHING
