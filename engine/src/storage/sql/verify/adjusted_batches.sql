SELECT p.name AS provider, b.provider_batch_id AS batch, n.currency, n.adjusted
FROM batch_now AS n
JOIN settlement_batch AS b ON b.id = n.batch_id
JOIN provider_account AS p ON p.id = b.account_id
WHERE n.adjusted IS NOT NULL
ORDER BY n.batch_id, n.currency
