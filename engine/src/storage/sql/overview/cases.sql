SELECT c.kind, c.currency,
    CAST(SUM(CASE WHEN c.opened_at > $1 THEN 1 ELSE 0 END) AS BIGINT) AS under_one_day,
    CAST(SUM(CASE WHEN c.opened_at <= $1 AND c.opened_at > $2 THEN 1 ELSE 0 END) AS BIGINT) AS one_to_two_days,
    CAST(SUM(CASE WHEN c.opened_at <= $2 AND c.opened_at > $3 THEN 1 ELSE 0 END) AS BIGINT) AS two_to_seven_days,
    CAST(SUM(CASE WHEN c.opened_at <= $3 THEN 1 ELSE 0 END) AS BIGINT) AS over_seven_days,
    CAST(SUM(CASE WHEN c.due_at < $4 THEN 1 ELSE 0 END) AS BIGINT) AS overdue,
    CAST(SUM(c.at_risk / 1000000000) AS BIGINT) AS at_risk_high, CAST(SUM(c.at_risk % 1000000000) AS BIGINT) AS at_risk_low,
    MIN(c.opened_at) AS oldest
FROM case_now c
WHERE c.state <> 'RESOLVED' AND c.state <> 'WAITING'
GROUP BY c.kind, c.currency
ORDER BY c.kind, c.currency
