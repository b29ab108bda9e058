SELECT p.account_id, p.version, p.fields
FROM provider_policy AS p
ORDER BY p.account_id, p.version
