INSERT INTO sign_in_failure (address_hash, failures, last_at)
VALUES ($1, 1, $2)
ON CONFLICT (address_hash) DO UPDATE SET failures = sign_in_failure.failures + 1, last_at = excluded.last_at
RETURNING failures
