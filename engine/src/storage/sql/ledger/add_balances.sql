INSERT INTO balance_now (account_id, ledger_account, currency, accounting_day, debit, credit)
SELECT account_id, ledger_account, currency, accounting_day, debit, credit
FROM rows
WHERE TRUE
ON CONFLICT (account_id, ledger_account, currency, accounting_day) DO UPDATE SET
    debit = balance_now.debit + EXCLUDED.debit, credit = balance_now.credit + EXCLUDED.credit
