SELECT d.id, d.public_id, d.case_id, d.case_version, d.params, d.needs_approval, d.decided_by, d.reverses,
    a.approved, n.case_id AS case_now, n.state AS state_now, n.decided_by AS decided_by_now,
    COALESCE((SELECT MAX(e.version) FROM case_event AS e WHERE e.case_id = d.case_id), 0) AS last_version
FROM decision AS d
LEFT JOIN decision_now AS n ON n.decision_id = d.id
LEFT JOIN approval AS a ON a.decision_id = d.id
WHERE d.id > $1
ORDER BY d.id
LIMIT $2
