SELECT i.id FROM intent i
WHERE i.id IN (SELECT rows.intent_id FROM rows)
ORDER BY i.id
FOR NO KEY UPDATE OF i
