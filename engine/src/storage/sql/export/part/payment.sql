-- The columns of the payments import say what the company said, so that they import again as what
-- they are; what lines and decisions made of it stands in those after them.
SELECT i.id AS intent_key, COALESCE(a.number, 0) AS number, i.public_id AS intent,
    i.merchant_reference, i.operation, i.amount, i.currency, i.direction, i.counterparty,
    i.created_at, i.loss_policy, a.public_id AS attempt, COALESCE(p.name, '') AS provider,
    COALESCE(a.idempotency_key, '') AS idempotency_key,
    COALESCE((
        SELECT e.provider_payment_id
        FROM attempt_event AS e
        WHERE e.attempt_id = a.id AND e.cause_kind = 'report' AND e.provider_payment_id <> ''
        ORDER BY e.seq DESC
        LIMIT 1
    ), a.provider_payment_id, '') AS provider_payment_id,
    a.started_at,
    COALESCE((
        SELECT e.finished_at
        FROM attempt_event AS e
        WHERE e.attempt_id = a.id AND e.cause_kind = 'report' AND e.finished_at IS NOT NULL
        ORDER BY e.seq DESC
        LIMIT 1
    ), a.finished_at) AS finished_at,
    COALESCE(w.reported, a.outcome, '') AS outcome,
    COALESCE((
        SELECT e.error_code
        FROM attempt_event AS e
        WHERE e.attempt_id = a.id AND e.cause_kind = 'report' AND e.error_code <> ''
        ORDER BY e.seq DESC
        LIMIT 1
    ), a.error_code, '') AS error_code,
    COALESCE(n.version, 1) AS version, COALESCE(n.state, '') AS state,
    COALESCE((
        SELECT STRING_AGG(COALESCE(ow.outcome, oa.outcome), ',')
        FROM attempt AS oa
        LEFT JOIN attempt_now AS ow ON ow.attempt_id = oa.id
        WHERE oa.intent_id = i.id
    ), '') AS outcomes,
    COALESCE(w.outcome, a.outcome, '') AS outcome_now,
    COALESCE(NULLIF(a.provider_payment_id, ''), (
        SELECT MIN(d.provider_payment_id) FROM attempt_id_now AS d WHERE d.attempt_id = a.id
    ), '') AS provider_payment_id_now
FROM intent AS i
LEFT JOIN attempt AS a ON a.intent_id = i.id
LEFT JOIN provider_account AS p ON p.id = a.account_id
LEFT JOIN attempt_now AS w ON w.attempt_id = a.id
LEFT JOIN intent_now AS n ON n.intent_id = i.id
