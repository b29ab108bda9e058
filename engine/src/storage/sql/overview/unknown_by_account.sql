SELECT n.account_id, COUNT(*) AS attempts
FROM attempt_now n
WHERE n.outcome = 'unknown'
GROUP BY n.account_id
