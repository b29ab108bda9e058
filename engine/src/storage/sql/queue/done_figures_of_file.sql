GROUP BY c.currency
ORDER BY c.currency
