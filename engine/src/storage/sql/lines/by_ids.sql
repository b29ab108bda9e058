SELECT
    l.id, f.public_id AS file_id, f.name AS file_name, l.line_no, l.row_id, l.kind, l.provider_payment_id, l.modification_id,
    l.merchant_reference, COALESCE(b.provider_batch_id, '') AS batch_id, l.gross, l.fee, l.net, l.currency,
    l.presented_amount, l.presented_currency, l.occurred_at, l.settled_at, f.received_at, l.accounting_day,
    COALESCE(n.verdict, 'PENDING') AS verdict, COALESCE(n.rule, 'none') AS rule,
    COALESCE(i.public_id, '') AS intent, COALESCE(t.public_id, '') AS attempt,
    l.file_id AS file_key, f.sha256
FROM rows
CROSS JOIN line l
JOIN settlement_file f ON f.id = l.file_id
LEFT JOIN settlement_batch b ON b.id = l.batch_id
LEFT JOIN line_now n ON n.line_id = l.id
LEFT JOIN attempt t ON t.id = n.attempt_id
LEFT JOIN intent i ON i.id = COALESCE(n.intent_id, t.intent_id)
WHERE l.id = rows.line_id
