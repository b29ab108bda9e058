SELECT i.id FROM rows CROSS JOIN intent i WHERE i.id = rows.intent_id
