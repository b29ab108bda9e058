SELECT l.id, f.account_id, l.file_id, f.sha256, l.line_no, l.kind, l.provider_payment_id,
       l.modification_id, l.merchant_reference, l.gross, l.fee, l.net, l.currency,
       l.presented_amount, l.presented_currency, l.occurred_at, l.settled_at, l.accounting_day,
       l.batch_id, l.counterparty, n.seq, n.verdict, n.rule, n.intent_id, n.attempt_id, n.contra,
       n.contra_amount, n.contra_currency, COALESCE(v.detail, '') AS detail
FROM rows CROSS JOIN line l
JOIN settlement_file f ON f.id = l.file_id
JOIN line_now n ON n.line_id = l.id
LEFT JOIN verdict v ON v.line_id = n.line_id AND v.seq = n.seq
WHERE l.id = rows.line_id
