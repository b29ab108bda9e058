SELECT rows.id, rows.part, e.kind, p.name AS provider, i.public_id AS intent,
    a.public_id AS attempt, e.source, e.content_hash, e.claim, e.occurred_at, e.received_at
FROM rows
CROSS JOIN evidence AS e
LEFT JOIN provider_account AS p ON p.id = e.account_id
LEFT JOIN intent AS i ON i.id = e.intent_id
LEFT JOIN attempt AS a ON a.id = e.attempt_id
WHERE e.id = rows.id
