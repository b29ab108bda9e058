SELECT rows.attempt_id, p.first_attempt, p.lines, i.name, i.received_at
FROM rows
CROSS JOIN payments_import_part p
JOIN payments_import i ON i.id = p.import_id
WHERE p.first_attempt = (
        SELECT MAX(q.first_attempt) FROM payments_import_part q WHERE q.first_attempt <= rows.attempt_id
    )
    AND p.last_attempt >= rows.attempt_id
