SELECT COUNT(*) FROM job WHERE kind = $1 AND key = $2 AND payload = $3
