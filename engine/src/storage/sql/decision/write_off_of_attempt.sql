SELECT d.public_id
FROM review_case AS c
JOIN decision AS d ON d.case_id = c.id
JOIN decision_now AS n ON n.decision_id = d.id
WHERE c.kind = 'missing_settlement' AND c.subject = $1
    AND d.action = 'write_off' AND n.state IN ('APPLIED', 'REVERSED')
ORDER BY d.id DESC
LIMIT 1
