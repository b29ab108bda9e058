SELECT account_id, COUNT(*) AS files
FROM file_now
WHERE state = 'HELD'
GROUP BY account_id
