SELECT o.intent_id, o.kind, o.matched
FROM rows CROSS JOIN intent_open o
WHERE o.intent_id = rows.intent_id
