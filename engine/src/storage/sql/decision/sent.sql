SELECT
    d.id, d.case_id, d.action, d.reason_code, d.decided_at, n.state,
    COALESCE(u.email, '') AS answered_by, COALESCE(a.approved_at, 0) AS answered_at, COALESCE(a.comment, '') AS answer
FROM decision d
JOIN decision_now n ON n.decision_id = d.id
LEFT JOIN approval a ON a.decision_id = d.id
LEFT JOIN user_account u ON u.id = a.approved_by
WHERE d.decided_by = $1 AND d.needs_approval = 1 AND d.id < $2
ORDER BY d.id DESC
LIMIT 51
