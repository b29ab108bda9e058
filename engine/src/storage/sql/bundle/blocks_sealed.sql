SELECT number FROM block WHERE sealed_at >= $1 AND sealed_at < $2 ORDER BY number
