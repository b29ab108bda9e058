SELECT e.id, e.posted_at
FROM ledger_entry AS e
JOIN provider_account AS p ON p.id = e.account_id
WHERE e.id > $1 AND e.accounting_day BETWEEN $2 AND $3 AND ($4 = '' OR p.name = $4)
ORDER BY e.id
LIMIT 2000
