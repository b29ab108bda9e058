SELECT e.id, e.account_id, a.name AS provider, e.accounting_day, e.posted_at, e.cause_kind, e.cause, e.detail,
    COALESCE(b.provider_batch_id, '') AS batch_id
FROM ledger_entry e
JOIN provider_account a ON a.id = e.account_id
LEFT JOIN settlement_batch b ON b.id = e.batch_id
WHERE e.id = $1
