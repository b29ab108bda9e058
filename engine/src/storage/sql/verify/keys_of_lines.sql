SELECT k.line_id, k.key
FROM rows
CROSS JOIN line_key_now AS k
WHERE k.line_id = rows.line_id
