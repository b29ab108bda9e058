SELECT
    i.id, i.public_id, i.merchant_reference, i.operation, i.amount, i.currency, i.direction, i.counterparty,
    i.created_at, i.loss_policy, COALESCE(n.version, 1) AS version,
    COALESCE(n.resend_permitted, 0) AS resend_permitted, COALESCE(n.state, '') AS state,
    (SELECT COUNT(*) FROM case_now c WHERE c.intent_id = i.id AND c.state <> 'RESOLVED') AS open_cases
FROM intent i
LEFT JOIN intent_now n ON n.intent_id = i.id
WHERE i.public_id = $1
