SELECT n.line_id
FROM rows CROSS JOIN line_now n
WHERE n.intent_id = rows.intent_id
UNION
SELECT s.line_id
FROM rows CROSS JOIN line_share_now s
WHERE s.intent_id = rows.intent_id
