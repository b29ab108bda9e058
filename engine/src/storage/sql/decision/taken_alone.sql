-- With what the case showed at the version that was decided about.
SELECT d.public_id, d.action, e.detail
FROM rows
CROSS JOIN decision d
JOIN decision_now n ON n.decision_id = d.id
JOIN case_event e ON e.case_id = d.case_id AND e.version = d.case_version
WHERE d.case_id = rows.case_id AND d.decided_by = rows.decided_by AND d.needs_approval = 0 AND n.state = 'APPLIED'
