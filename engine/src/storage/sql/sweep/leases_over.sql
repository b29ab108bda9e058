SELECT n.attempt_id, a.intent_id
FROM attempt_now n JOIN attempt a ON a.id = n.attempt_id
WHERE n.outcome = 'in_flight' AND n.account_id = $1 AND n.since <= $2
ORDER BY n.attempt_id
