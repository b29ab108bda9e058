SELECT COALESCE(MAX(id), 0)
FROM ledger_entry
