DELETE FROM sign_in_failure
WHERE address_hash = $1
