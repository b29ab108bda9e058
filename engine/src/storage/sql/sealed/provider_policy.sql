SELECT rows.id, rows.part, a.name AS provider, a.kind, a.zone, p.version, p.fields, p.changed_by,
    p.changed_at
FROM rows
CROSS JOIN provider_policy AS p
CROSS JOIN provider_account AS a
WHERE p.account_id = rows.id AND p.version = rows.part AND a.id = p.account_id
