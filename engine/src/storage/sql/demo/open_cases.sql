SELECT r.public_id, c.kind, c.version, c.facts
FROM case_now c
JOIN review_case r ON r.id = c.case_id
WHERE c.state = 'OPEN'
ORDER BY c.case_id
