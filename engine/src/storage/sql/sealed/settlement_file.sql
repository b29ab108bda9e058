SELECT rows.id, rows.part, p.name AS provider, f.sha256 AS file, f.bytes, f.name, f.received_at,
    f.received_by
FROM rows
CROSS JOIN settlement_file AS f
CROSS JOIN provider_account AS p
WHERE f.id = rows.id AND p.id = f.account_id
