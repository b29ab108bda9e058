SELECT c.case_id
FROM rows CROSS JOIN case_now c
WHERE c.intent_id = rows.id AND rows.what = 'intent' AND c.intent_id IS NOT NULL
UNION
SELECT c.case_id
FROM rows CROSS JOIN case_now c
WHERE c.line_id = rows.id AND rows.what = 'line' AND c.line_id IS NOT NULL
