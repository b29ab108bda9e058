SELECT s.line_id, s.attempt_id, s.intent_id, s.amount
FROM rows CROSS JOIN line_share_now s
WHERE s.line_id = rows.line_id
