SELECT p.entry_id, p.ledger_account, p.currency, p.amount
FROM rows
CROSS JOIN posting p
WHERE p.entry_id = rows.entry_id
