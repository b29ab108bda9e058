SELECT e.attempt_id, e.seq, e.outcome, e.provider_payment_id, e.finished_at, e.error_code, e.cause_kind, e.cause, e.at
FROM rows
CROSS JOIN attempt_event e
WHERE e.attempt_id = rows.attempt_id
