SELECT d.id, d.public_id, d.case_id, d.case_version, d.evidence_version, d.action, d.reason_code, d.comment,
       d.params, d.input_hash, d.needs_approval, d.decided_by, d.decided_at, d.reverses, n.state,
       u.email AS decider, COALESCE(a.approved, -1) AS approved
FROM decision d
JOIN decision_now n ON n.decision_id = d.id
JOIN user_account u ON u.id = d.decided_by
LEFT JOIN approval a ON a.decision_id = d.id
WHERE d.id = $1
