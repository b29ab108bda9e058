SELECT s.line_id, a.public_id AS attempt, s.amount
FROM rows
CROSS JOIN line_share_now AS s
CROSS JOIN attempt AS a
WHERE s.line_id = rows.id AND a.id = s.attempt_id
