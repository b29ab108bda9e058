SELECT d.attempt_id, d.account_id, d.provider_payment_id, d.learned_from, d.line_id
FROM rows CROSS JOIN attempt_id_now d
WHERE d.attempt_id = rows.attempt_id
