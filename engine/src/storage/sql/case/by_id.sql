SELECT c.case_id, r.public_id, r.opening, c.kind, c.subject, c.state, c.version, c.evidence_version, c.account_id,
       c.currency, c.at_risk, c.severity, c.escalated, c.intent_id, c.attempt_id, c.line_id, c.file_id, c.batch_id,
       c.facts, c.opened_at, c.due_at, c.owner_id, c.lease_until, c.wake_at, c.resolution, c.resolved_at
FROM rows CROSS JOIN case_now c
JOIN review_case r ON r.id = c.case_id
WHERE c.case_id = rows.case_id
