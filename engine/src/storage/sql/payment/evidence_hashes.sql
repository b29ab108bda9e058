SELECT e.attempt_id, e.content_hash
FROM rows CROSS JOIN evidence e
WHERE e.attempt_id = rows.attempt_id
