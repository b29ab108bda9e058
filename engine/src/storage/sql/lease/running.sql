SELECT key FROM job WHERE kind = $1 AND lease_until > $2 ORDER BY key
