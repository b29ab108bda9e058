SELECT p.entry_id, p.number, p.ledger_account, p.currency, p.amount
FROM rows
CROSS JOIN posting AS p
WHERE p.entry_id = rows.id
