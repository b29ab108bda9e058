SELECT rows.id, rows.part, c.kind, c.subject, c.opening, COALESCE(p.name, '') AS provider
FROM rows
CROSS JOIN review_case AS c
LEFT JOIN provider_account AS p ON p.id = c.account_id
WHERE c.id = rows.id
