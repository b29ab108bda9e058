SELECT i.id, i.public_id, i.loss_policy, COALESCE(n.version, 1) AS version, COALESCE(n.state, '') AS state,
       COALESCE(n.resend_permitted, 0) AS resend_permitted
FROM rows CROSS JOIN intent i
LEFT JOIN intent_now n ON n.intent_id = i.id
WHERE i.id = rows.intent_id
