SELECT s.line_id, i.public_id AS intent, a.public_id AS attempt, s.amount
FROM rows
CROSS JOIN line_share_now AS s
CROSS JOIN attempt AS a
CROSS JOIN intent AS i
WHERE s.line_id = rows.id AND a.id = s.attempt_id AND i.id = s.intent_id
