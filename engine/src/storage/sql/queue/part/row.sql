SELECT
    r.public_id, c.kind, c.state, c.version, c.account_id, a.name AS account, a.zone, c.currency, c.at_risk, c.severity,
    c.opened_at, c.due_at, c.owner_id, o.email AS owner, c.wake_at, c.subject, c.facts, c.case_id, c.resolution, c.resolved_at
FROM case_now c
JOIN review_case r ON r.id = c.case_id
JOIN provider_account a ON a.id = c.account_id
LEFT JOIN user_account o ON o.id = c.owner_id
