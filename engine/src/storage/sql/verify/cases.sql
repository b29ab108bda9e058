SELECT c.id, c.public_id, c.kind AS kind_then, c.subject AS subject_then, c.account_id AS account_then,
    c.opened_at AS opened_then, n.kind, n.subject, n.state, n.version, n.evidence_version, n.account_id,
    n.currency, n.at_risk, n.severity, n.escalated, n.facts, n.opened_at, n.due_at, n.lease_until, n.wake_at,
    n.resolution, n.resolved_at, n.intent_id, n.attempt_id, n.line_id, n.file_id, n.batch_id, n.owner_id,
    p.name AS provider, i.public_id AS intent, a.public_id AS attempt, g.sha256 AS line_file, l.line_no,
    f.sha256 AS file, b.provider_batch_id AS batch, u.email AS owner
FROM review_case AS c
LEFT JOIN case_now AS n ON n.case_id = c.id
LEFT JOIN provider_account AS p ON p.id = c.account_id
LEFT JOIN intent AS i ON i.id = n.intent_id
LEFT JOIN attempt AS a ON a.id = n.attempt_id
LEFT JOIN line AS l ON l.id = n.line_id
LEFT JOIN settlement_file AS g ON g.id = l.file_id
LEFT JOIN settlement_file AS f ON f.id = n.file_id
LEFT JOIN settlement_batch AS b ON b.id = n.batch_id AND b.account_id = c.account_id
LEFT JOIN user_account AS u ON u.id = n.owner_id
WHERE c.id > $1
ORDER BY c.id
LIMIT $2
