SELECT r.subject, r.decision_id, r.ruling, r.beneath
FROM ruling_now AS r
WHERE r.subject > $1
ORDER BY r.subject
LIMIT $2
