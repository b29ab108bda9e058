INSERT INTO line_now (line_id, account_id, seq, verdict, rule, intent_id, attempt_id, contra,
                      contra_amount, contra_currency)
SELECT line_id, account_id, seq, verdict, rule, intent_id, attempt_id, contra, contra_amount, contra_currency
FROM rows
WHERE TRUE
ON CONFLICT (line_id) DO UPDATE SET
    seq = EXCLUDED.seq, verdict = EXCLUDED.verdict, rule = EXCLUDED.rule,
    intent_id = EXCLUDED.intent_id, attempt_id = EXCLUDED.attempt_id, contra = EXCLUDED.contra,
    contra_amount = EXCLUDED.contra_amount, contra_currency = EXCLUDED.contra_currency
