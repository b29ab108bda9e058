SELECT n.account_id, l.kind, l.currency, l.presented_currency, n.contra, n.contra_currency,
    CAST(SUM(l.gross) AS BIGINT) AS gross, CAST(SUM(l.fee) AS BIGINT) AS fee,
    CAST(SUM(l.net) AS BIGINT) AS net, CAST(SUM(l.presented_amount) AS BIGINT) AS presented_amount,
    CAST(SUM(n.contra_amount) AS BIGINT) AS contra_amount
FROM line_now AS n
JOIN line AS l ON l.id = n.line_id
WHERE n.verdict IN ('MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
GROUP BY n.account_id, l.kind, l.currency, l.presented_currency, n.contra, n.contra_currency
