SELECT case_id, currency, at_risk, severity, escalated, opened_at
FROM case_now
WHERE account_id = $1 AND case_id > $2 AND state <> 'RESOLVED'
ORDER BY case_id
LIMIT $3
