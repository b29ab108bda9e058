SELECT case_id FROM case_now
WHERE account_id = $1 AND (
    state = 'WAITING' AND wake_at IS NOT NULL AND wake_at <= $2
    OR state = 'IN_REVIEW' AND lease_until IS NOT NULL AND lease_until <= $2
)
ORDER BY case_id
LIMIT $3
