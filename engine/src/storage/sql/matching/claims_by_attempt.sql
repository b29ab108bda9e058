SELECT e.attempt_id, e.kind, e.claim
FROM rows CROSS JOIN evidence e
WHERE e.attempt_id = rows.attempt_id
