SELECT n.attempt_id, a.intent_id, n.since
FROM attempt_now n JOIN attempt a ON a.id = n.attempt_id
WHERE n.outcome = 'unknown' AND n.since >= $2 AND (n.since > $2 OR n.attempt_id > $3) AND n.since <= $4
    AND n.account_id = $1
    AND NOT EXISTS (
        SELECT 1 FROM case_now c
        WHERE c.kind = 'unknown_outcome' AND c.subject = 'attempt:' || a.public_id AND c.state <> 'RESOLVED'
    )
ORDER BY n.since, n.attempt_id
LIMIT $5
