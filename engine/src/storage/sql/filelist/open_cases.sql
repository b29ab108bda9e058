SELECT r.public_id, c.kind
FROM case_now c
JOIN review_case r ON r.id = c.case_id
WHERE c.file_id = $1 AND c.file_id IS NOT NULL AND c.state <> 'RESOLVED'
ORDER BY c.case_id
LIMIT 20
