SELECT DISTINCT c.public_id
FROM ruling_now r
JOIN decision d ON d.id = r.decision_id
JOIN review_case c ON c.id = d.case_id
WHERE r.subject >= $1 AND r.subject < $2
ORDER BY c.public_id
LIMIT 10
