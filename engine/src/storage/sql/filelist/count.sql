SELECT COUNT(*)
FROM file_now
WHERE ($1 = '' OR state = $1) AND ($2 = 0 OR account_id = $2)
