DELETE FROM sign_in_failure
WHERE last_at < $1
