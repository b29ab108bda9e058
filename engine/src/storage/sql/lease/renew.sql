UPDATE job SET lease_until = $4 WHERE kind = $1 AND key = $2 AND payload = $3
