SELECT id
FROM ledger_entry
WHERE cause = $1 AND cause_kind IN ('decision', 'reversal') AND account_id = $2
ORDER BY id
