SELECT c.currency, CAST(SUM(c.at_risk / 1000000000) AS BIGINT) AS at_risk_high,
    CAST(SUM(c.at_risk % 1000000000) AS BIGINT) AS at_risk_low, COUNT(*) AS cases, MIN(c.opened_at) AS oldest
FROM case_now c
WHERE c.state <> 'RESOLVED'
    AND (
        ($1 = 'all' AND c.state <> 'WAITING')
        OR ($1 = 'mine' AND c.owner_id = $2)
        OR ($1 = 'over_48h' AND c.state <> 'WAITING' AND c.opened_at < $3)
        OR ($1 = 'waiting' AND c.state = 'WAITING')
    )
    AND ($4 = '' OR c.kind = $4)
    AND ($5 = 0 OR c.account_id = $5)
    AND ($6 = '' OR c.currency = $6)
    AND c.at_risk >= $7
    AND ($8 = 0 OR c.owner_id = $8 OR ($8 = -1 AND c.owner_id IS NULL))
GROUP BY c.currency
ORDER BY c.currency
