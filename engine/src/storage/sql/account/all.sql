SELECT a.id, a.name, a.kind, a.zone, p.version, p.fields
FROM provider_account a
JOIN provider_policy p ON p.account_id = a.id
WHERE p.version = (SELECT MAX(version) FROM provider_policy q WHERE q.account_id = a.id)
ORDER BY a.id
