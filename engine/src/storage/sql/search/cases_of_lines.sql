SELECT c.case_id
FROM rows CROSS JOIN line_key_now k JOIN case_now c ON c.line_id = k.line_id
WHERE k.account_id = rows.account_id
    AND k.key IN ('p:' || rows.q, 'r:' || rows.q, 'm:' || rows.q)
    AND c.line_id IS NOT NULL
LIMIT 201
