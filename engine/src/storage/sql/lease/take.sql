INSERT INTO job (id, kind, key, payload, run_at, failures, lease_until, error)
VALUES ($1, $2, $3, $4, $5, 0, $6, '')
ON CONFLICT (kind, key) DO UPDATE SET payload = EXCLUDED.payload, lease_until = EXCLUDED.lease_until
WHERE job.lease_until < $5 OR job.payload = EXCLUDED.payload
