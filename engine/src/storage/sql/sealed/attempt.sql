SELECT rows.id, rows.part, i.public_id AS intent, p.name AS provider, a.public_id AS attempt,
    a.number, a.idempotency_key, a.provider_payment_id, a.started_at, a.finished_at, a.outcome,
    a.error_code
FROM rows
CROSS JOIN attempt AS a
CROSS JOIN intent AS i
CROSS JOIN provider_account AS p
WHERE a.id = rows.id AND i.id = a.intent_id AND p.id = a.account_id
