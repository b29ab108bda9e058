SELECT entry_id, currency, CAST(SUM(amount) AS BIGINT) AS residual
FROM posting
GROUP BY entry_id, currency
HAVING SUM(amount) <> 0
ORDER BY entry_id, currency
LIMIT 1
