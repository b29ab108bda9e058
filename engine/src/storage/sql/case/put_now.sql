INSERT INTO case_now (case_id, kind, subject, state, version, evidence_version, account_id, currency, at_risk,
                      severity, escalated, intent_id, attempt_id, line_id, file_id, batch_id, facts, opened_at, due_at,
                      owner_id, lease_until, wake_at, resolution, resolved_at)
SELECT case_id, kind, subject, state, version, evidence_version, account_id, currency, at_risk,
       severity, escalated, intent_id, attempt_id, line_id, file_id, batch_id, facts, opened_at, due_at,
       owner_id, lease_until, wake_at, resolution, resolved_at
FROM rows
WHERE TRUE
ON CONFLICT (case_id) DO UPDATE SET
    state = EXCLUDED.state, version = EXCLUDED.version, evidence_version = EXCLUDED.evidence_version,
    account_id = EXCLUDED.account_id, currency = EXCLUDED.currency, at_risk = EXCLUDED.at_risk,
    severity = EXCLUDED.severity, escalated = EXCLUDED.escalated, intent_id = EXCLUDED.intent_id, attempt_id = EXCLUDED.attempt_id,
    line_id = EXCLUDED.line_id, file_id = EXCLUDED.file_id, batch_id = EXCLUDED.batch_id,
    facts = EXCLUDED.facts, due_at = EXCLUDED.due_at, owner_id = EXCLUDED.owner_id,
    lease_until = EXCLUDED.lease_until, wake_at = EXCLUDED.wake_at, resolution = EXCLUDED.resolution,
    resolved_at = EXCLUDED.resolved_at
