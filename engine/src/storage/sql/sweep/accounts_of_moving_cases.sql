SELECT DISTINCT account_id FROM case_now
WHERE (state = 'WAITING' AND wake_at IS NOT NULL AND wake_at <= $1)
    OR (state = 'IN_REVIEW' AND lease_until IS NOT NULL AND lease_until <= $1)
ORDER BY account_id
