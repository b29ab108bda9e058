SELECT n.attempt_id, a.intent_id, n.since
FROM attempt_now n JOIN attempt a ON a.id = n.attempt_id
WHERE n.outcome = 'in_flight' AND n.since >= $2 AND (n.since > $2 OR n.attempt_id > $3) AND n.since <= $4
    AND n.account_id = $1
ORDER BY n.since, n.attempt_id
LIMIT $5
