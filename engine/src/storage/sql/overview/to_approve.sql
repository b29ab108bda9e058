SELECT c.case_id, x.action, u.email AS decided_by, x.decided_at
FROM decision_now d
CROSS JOIN decision x
JOIN case_now c ON c.case_id = x.case_id
JOIN user_account u ON u.id = x.decided_by
WHERE d.state = 'AWAITING'
    AND x.id = d.decision_id
    AND d.decided_by IN (SELECT decider FROM rows)
ORDER BY x.decided_at, x.id
LIMIT 20
