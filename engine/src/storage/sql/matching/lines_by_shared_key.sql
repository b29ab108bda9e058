-- Lines that a reference may still matter to: not those that their provider id matched.
SELECT k.line_id
FROM rows CROSS JOIN line_key_now k
JOIN line_now n ON n.line_id = k.line_id
WHERE k.account_id = rows.account_id AND k.key = rows.key AND NOT (n.verdict = 'MATCHED' AND n.rule = 'R1')
