SELECT e.attempt_id, e.provider_payment_id, e.finished_at, e.error_code
FROM rows CROSS JOIN attempt_event e
WHERE e.attempt_id = rows.attempt_id AND e.cause_kind = 'report'
ORDER BY e.attempt_id, e.seq
