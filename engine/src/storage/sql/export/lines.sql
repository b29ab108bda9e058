SELECT l.id, l.line_no, l.row_id, l.kind, l.gross, l.fee, l.net, l.currency, l.presented_amount,
    l.presented_currency, COALESCE(b.provider_batch_id, '') AS batch, n.verdict, n.rule,
    COALESCE(i.public_id, '') AS intent, COALESCE(a.public_id, '') AS attempt
FROM line AS l
JOIN line_now AS n ON n.line_id = l.id
LEFT JOIN settlement_batch AS b ON b.id = l.batch_id
LEFT JOIN attempt AS a ON a.id = n.attempt_id
LEFT JOIN intent AS i ON i.id = COALESCE(n.intent_id, a.intent_id)
WHERE l.file_id = $1 AND l.line_no > $2 AND l.accounting_day BETWEEN $3 AND $4
ORDER BY l.line_no
LIMIT 5000
