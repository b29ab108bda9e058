SELECT DISTINCT currency, amount, direction
FROM line_bucket_now
WHERE account_id = $1
ORDER BY currency, amount, direction
