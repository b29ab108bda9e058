SELECT p.name AS provider, b.currency, CAST(SUM(b.debit) - SUM(b.credit) AS BIGINT) AS residual
FROM balance_now AS b
JOIN provider_account AS p ON p.id = b.account_id
GROUP BY p.name, b.currency
HAVING SUM(b.debit) <> SUM(b.credit)
ORDER BY p.name, b.currency
LIMIT 1
