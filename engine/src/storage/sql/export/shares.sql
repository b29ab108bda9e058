-- Shares stand in the direction of the intent's movement and, where the line's currency is another,
-- in the intent's currency; what is exported is part of the presented amount, with its sign.
SELECT s.line_id, s.attempt_id, i.public_id AS intent, a.public_id AS attempt,
    CASE
        WHEN s.amount = 0 THEN s.amount
        WHEN i.currency <> l.presented_currency THEN l.presented_amount
        WHEN l.kind IN ('payment', 'payment_reversal') AND i.direction = 'in' AND i.operation <> 'refund'
            THEN s.amount
        ELSE -s.amount
    END AS amount
FROM rows
CROSS JOIN line_share_now AS s
CROSS JOIN attempt AS a
CROSS JOIN intent AS i
CROSS JOIN line AS l
WHERE s.line_id = rows.id AND a.id = s.attempt_id AND i.id = s.intent_id AND l.id = s.line_id
