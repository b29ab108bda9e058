SELECT accounting_day, debit, credit
FROM balance_now
WHERE account_id = $1 AND ledger_account = $2 AND currency = $3 AND accounting_day <= $4
ORDER BY accounting_day DESC
LIMIT 366
