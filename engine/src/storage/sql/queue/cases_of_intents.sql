SELECT c.case_id
FROM rows
CROSS JOIN case_now c
WHERE c.intent_id = rows.intent_id
