SELECT e.account_id, p.ledger_account, p.currency,
    CAST(SUM(CASE WHEN e.cause_kind IN ('lines', 'move', 'taken_back') THEN p.amount ELSE 0 END) AS BIGINT) AS from_lines,
    CAST(SUM(p.amount) AS BIGINT) AS balance
FROM posting AS p
JOIN ledger_entry AS e ON e.id = p.entry_id
GROUP BY e.account_id, p.ledger_account, p.currency
