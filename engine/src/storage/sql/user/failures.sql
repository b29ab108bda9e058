SELECT failures, last_at
FROM sign_in_failure
WHERE address_hash = $1
