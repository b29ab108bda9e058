SELECT
    a.id, a.name, a.kind, a.zone, p.version, p.fields, p.changed_by, p.changed_at
FROM provider_account a
JOIN provider_policy p ON p.account_id = a.id
WHERE p.version = (SELECT MAX(l.version) FROM provider_policy l WHERE l.account_id = a.id)
ORDER BY a.name
