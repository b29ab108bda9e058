SELECT c.case_id
FROM rows CROSS JOIN case_now c ON c.intent_id = rows.id
WHERE rows.what = 'intent' AND c.intent_id IS NOT NULL
UNION
SELECT c.case_id
FROM rows CROSS JOIN case_now c ON c.line_id = rows.id
WHERE rows.what = 'line' AND c.line_id IS NOT NULL
