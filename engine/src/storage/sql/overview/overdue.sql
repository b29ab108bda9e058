SELECT c.account_id, COUNT(*) AS attempts
FROM case_now c
WHERE c.state <> 'RESOLVED' AND c.state <> 'WAITING' AND c.kind = 'missing_settlement'
GROUP BY c.account_id
