SELECT r.public_id
FROM case_now c
JOIN review_case r ON r.id = c.case_id
