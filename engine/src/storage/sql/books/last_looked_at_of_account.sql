SELECT MIN(e.id)
FROM (SELECT id FROM ledger_entry WHERE account_id = $2 AND id < $1 ORDER BY id DESC LIMIT 10000) e
