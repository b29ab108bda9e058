SELECT c.currency, CAST(SUM(c.at_risk / 1000000000) AS BIGINT) AS at_risk_high,
    CAST(SUM(c.at_risk % 1000000000) AS BIGINT) AS at_risk_low, COUNT(*) AS cases, MIN(c.opened_at) AS oldest
FROM case_now c
