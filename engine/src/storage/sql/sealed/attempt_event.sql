SELECT rows.id, rows.part, a.public_id AS attempt, e.seq, e.outcome, e.provider_payment_id,
    e.finished_at, e.error_code, e.cause_kind, e.cause,
    CASE WHEN e.cause_kind IN ('decision', 'report') THEN e.at END AS acted_at
FROM rows
CROSS JOIN attempt_event AS e
CROSS JOIN attempt AS a
WHERE e.attempt_id = rows.id AND e.seq = rows.part AND a.id = e.attempt_id
