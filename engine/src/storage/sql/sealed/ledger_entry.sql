SELECT rows.id, rows.part, p.name AS provider, e.accounting_day,
    COALESCE(b.provider_batch_id, '') AS batch, e.cause_kind, e.cause, e.detail
FROM rows
CROSS JOIN ledger_entry AS e
CROSS JOIN provider_account AS p
LEFT JOIN settlement_batch AS b ON b.id = e.batch_id
WHERE e.id = rows.id AND p.id = e.account_id
