SELECT first_day, last_day
FROM file_now
WHERE account_id = $1 AND state = 'USED' AND accepted = 0 AND first_day IS NOT NULL AND last_day IS NOT NULL
ORDER BY first_day, last_day
