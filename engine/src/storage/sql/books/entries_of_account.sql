SELECT e.id, e.account_id, a.name AS provider, e.accounting_day, e.posted_at, e.cause_kind, e.cause, e.detail,
    COALESCE(b.provider_batch_id, '') AS batch_id
FROM (
    SELECT id, account_id, accounting_day, posted_at, batch_id, cause_kind, cause, detail
    FROM ledger_entry
    WHERE account_id = $6 AND id < $1
    ORDER BY id DESC
    LIMIT 10000
) e
JOIN provider_account a ON a.id = e.account_id
LEFT JOIN settlement_batch b ON b.id = e.batch_id
WHERE ($2 = '' AND $3 = '' OR EXISTS (
        SELECT 1
        FROM posting p
        WHERE p.entry_id = e.id AND ($2 = '' OR p.ledger_account = $2) AND ($3 = '' OR p.currency = $3)
    ))
    AND e.accounting_day BETWEEN $4 AND $5
ORDER BY e.id DESC
LIMIT 51
