SELECT
    a.id, a.name, a.kind, a.zone, p.version, p.fields, p.changed_by, p.changed_at
FROM provider_account a
JOIN provider_policy p ON p.account_id = a.id
WHERE a.name = $1
ORDER BY p.version DESC
LIMIT 1
