SELECT l.attempt_id, l.provider_payment_id, l.learned_from
FROM rows
CROSS JOIN attempt_id_now l
WHERE l.attempt_id = rows.attempt_id
