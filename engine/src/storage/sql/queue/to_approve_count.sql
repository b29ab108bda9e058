SELECT COUNT(*)
FROM decision_now d
CROSS JOIN user_account u
WHERE d.state = 'AWAITING'
    AND u.id = d.decided_by
    AND d.decided_by NOT IN ($1, $2, $3)
    AND u.created_by <> $1
    AND u.changed_by <> $1
