SELECT c.case_id AS id, r.public_id, c.kind, c.state, c.severity, COALESCE(p.name, '') AS provider,
    c.currency, c.at_risk, COALESCE(i.public_id, '') AS intent, COALESCE(a.public_id, '') AS attempt,
    c.opened_at, c.due_at, COALESCE(u.email, '') AS owner, c.resolution, c.resolved_at
FROM rows
CROSS JOIN case_now AS c
JOIN review_case AS r ON r.id = c.case_id
LEFT JOIN provider_account AS p ON p.id = c.account_id
LEFT JOIN intent AS i ON i.id = c.intent_id
LEFT JOIN attempt AS a ON a.id = c.attempt_id
LEFT JOIN user_account AS u ON u.id = c.owner_id
WHERE c.case_id = rows.case_id
