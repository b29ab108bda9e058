SELECT a.id, a.intent_id, a.number, a.public_id, a.outcome, COALESCE(n.outcome, a.outcome) AS outcome_now
FROM rows CROSS JOIN attempt a
LEFT JOIN attempt_now n ON n.attempt_id = a.id
WHERE a.intent_id = rows.intent_id
ORDER BY a.intent_id, a.number
