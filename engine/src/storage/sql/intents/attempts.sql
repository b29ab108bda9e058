SELECT t.id, t.intent_id, t.public_id, t.number, a.name AS account, t.idempotency_key, t.provider_payment_id,
    t.started_at, t.finished_at, t.error_code, COALESCE(n.reported, t.outcome) AS reported,
    COALESCE(n.outcome, t.outcome) AS outcome
FROM rows
CROSS JOIN attempt t
JOIN provider_account a ON a.id = t.account_id
LEFT JOIN attempt_now n ON n.attempt_id = t.id
WHERE t.intent_id = rows.intent_id
