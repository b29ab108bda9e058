SELECT n.line_id
FROM rows CROSS JOIN line_now n ON n.intent_id = rows.intent_id
UNION
SELECT s.line_id
FROM rows CROSS JOIN line_share_now s ON s.intent_id = rows.intent_id
