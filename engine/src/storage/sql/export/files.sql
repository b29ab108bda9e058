SELECT f.id, f.sha256, p.name AS provider, COALESCE(n.state, '') AS state, COALESCE(n.first_day, 0) AS first_day,
    COALESCE(n.last_day, 0) AS last_day,
    CAST(CASE WHEN n.first_day IS NULL THEN 0 ELSE 1 END AS BIGINT) AS dated
FROM settlement_file AS f
JOIN provider_account AS p ON p.id = f.account_id
LEFT JOIN file_now AS n ON n.file_id = f.id
WHERE f.id > $1
ORDER BY f.id
LIMIT 500
