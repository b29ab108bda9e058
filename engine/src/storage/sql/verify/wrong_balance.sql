SELECT COALESCE(p.name, 'no provider account') AS provider, s.ledger_account, s.currency, s.accounting_day,
    CAST(SUM(s.debit_now) AS BIGINT) AS debit_now, CAST(SUM(s.credit_now) AS BIGINT) AS credit_now,
    CAST(SUM(s.debit) AS BIGINT) AS debit, CAST(SUM(s.credit) AS BIGINT) AS credit
FROM (
    SELECT account_id, ledger_account, currency, accounting_day,
        debit AS debit_now, credit AS credit_now, 0 AS debit, 0 AS credit
    FROM balance_now
    UNION ALL
    SELECT e.account_id, p.ledger_account, p.currency, e.accounting_day, 0, 0,
        CASE WHEN p.amount > 0 THEN p.amount ELSE 0 END,
        CASE WHEN p.amount < 0 THEN -p.amount ELSE 0 END
    FROM posting AS p
    JOIN ledger_entry AS e ON e.id = p.entry_id
) AS s
LEFT JOIN provider_account AS p ON p.id = s.account_id
GROUP BY p.name, s.account_id, s.ledger_account, s.currency, s.accounting_day
HAVING SUM(s.debit_now) <> SUM(s.debit) OR SUM(s.credit_now) <> SUM(s.credit)
ORDER BY p.name, s.ledger_account, s.currency, s.accounting_day
LIMIT 1
