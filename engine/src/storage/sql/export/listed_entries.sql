SELECT e.id, e.posted_at
FROM ledger_entry AS e
JOIN provider_account AS p ON p.id = e.account_id
WHERE e.id < $1 AND e.accounting_day BETWEEN $2 AND $3 AND ($4 = '' OR p.name = $4)
    AND ($5 = '' AND $6 = '' OR EXISTS (
        SELECT 1
        FROM posting AS o
        WHERE o.entry_id = e.id AND ($5 = '' OR o.ledger_account = $5) AND ($6 = '' OR o.currency = $6)
    ))
ORDER BY e.id DESC
LIMIT 2000
