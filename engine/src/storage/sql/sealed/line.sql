SELECT rows.id, rows.part, p.name AS provider, f.sha256 AS file, l.line_no, l.byte_offset,
    l.byte_len, l.row_id, l.identity, l.kind, l.source_kind, l.provider_payment_id,
    l.modification_id, l.merchant_reference, l.gross, l.fee, l.net, l.currency, l.presented_amount,
    l.presented_currency, l.occurred_at, l.settled_at, l.accounting_day,
    COALESCE(b.provider_batch_id, '') AS batch, l.counterparty, l.description, l.lossy_text
FROM rows
CROSS JOIN line AS l
CROSS JOIN settlement_file AS f
CROSS JOIN provider_account AS p
LEFT JOIN settlement_batch AS b ON b.id = l.batch_id
WHERE l.id = rows.id AND f.id = l.file_id AND p.id = f.account_id
