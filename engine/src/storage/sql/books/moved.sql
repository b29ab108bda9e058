SELECT currency, CAST(SUM(debit) AS BIGINT) AS debit, CAST(SUM(credit) AS BIGINT) AS credit
FROM balance_now
WHERE accounting_day BETWEEN $1 AND $2
    AND ($3 = 0 OR account_id = $3)
    AND ($4 = '' OR ledger_account = $4)
    AND ($5 = '' OR currency = $5)
GROUP BY currency
ORDER BY currency
