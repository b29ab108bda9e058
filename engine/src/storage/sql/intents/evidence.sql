SELECT e.id, e.attempt_id, e.kind, e.source, e.content_hash, e.claim, e.occurred_at, e.received_at
FROM rows
CROSS JOIN evidence e
WHERE e.attempt_id = rows.attempt_id
