SELECT account_id, ledger_account, currency, CAST(SUM(debit) AS BIGINT) AS debit, CAST(SUM(credit) AS BIGINT) AS credit
FROM balance_now
WHERE account_id = $1 AND accounting_day <= $2
GROUP BY account_id, ledger_account, currency
ORDER BY account_id, currency, ledger_account
