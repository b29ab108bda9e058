SELECT number FROM block WHERE sealed_at < $1 ORDER BY number DESC LIMIT 1
