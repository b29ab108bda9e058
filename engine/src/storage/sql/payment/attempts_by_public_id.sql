SELECT a.id, a.public_id, a.intent_id, a.account_id, a.number, a.idempotency_key,
       a.provider_payment_id, a.started_at, a.finished_at, a.outcome, a.error_code,
       COALESCE(n.reported, a.outcome) AS reported, COALESCE(n.outcome, a.outcome) AS outcome_now,
       COALESCE(n.seq, 0) AS seq, COALESCE(n.written_off, 0) AS written_off
FROM rows CROSS JOIN attempt a
LEFT JOIN attempt_now n ON n.attempt_id = a.id
WHERE a.public_id = rows.public_id
