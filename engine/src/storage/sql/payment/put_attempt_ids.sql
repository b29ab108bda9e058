INSERT INTO attempt_id_now (account_id, provider_payment_id, attempt_id, learned_from, line_id)
SELECT account_id, provider_payment_id, attempt_id, learned_from, line_id
FROM rows
WHERE TRUE
ON CONFLICT (account_id, provider_payment_id, attempt_id) DO UPDATE SET
    learned_from = EXCLUDED.learned_from, line_id = EXCLUDED.line_id
