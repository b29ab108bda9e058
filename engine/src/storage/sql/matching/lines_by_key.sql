SELECT k.line_id
FROM rows CROSS JOIN line_key_now k
WHERE k.account_id = rows.account_id AND k.key = rows.key
