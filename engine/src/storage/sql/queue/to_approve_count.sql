SELECT COUNT(*)
FROM decision_now d
WHERE d.state = 'AWAITING'
    AND d.decided_by IN (SELECT decider FROM rows)
