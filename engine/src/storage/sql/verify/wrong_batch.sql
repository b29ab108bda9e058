SELECT p.name AS provider, b.provider_batch_id AS batch, s.currency,
    CAST(SUM(s.net_now) AS BIGINT) AS net_now, CAST(SUM(s.net) AS BIGINT) AS net
FROM (
    SELECT batch_id, currency, lines AS lines_now, gross AS gross_now, fee AS fee_now,
        net AS net_now, payouts AS payouts_now, payout_net AS payout_net_now,
        last_day AS last_day_now, first_line AS first_line_now, last_line AS last_line_now,
        0 AS lines, 0 AS gross, 0 AS fee, 0 AS net, 0 AS payouts, 0 AS payout_net,
        NULL AS last_day, NULL AS first_line, NULL AS last_line
    FROM batch_now
    UNION ALL
    SELECT l.batch_id, l.currency, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, 1,
        CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 0 ELSE l.gross END,
        CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 0 ELSE l.fee END,
        CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 0 ELSE l.net END,
        CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 1 ELSE 0 END,
        CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN l.net ELSE 0 END,
        l.accounting_day, l.id, l.id
    FROM line AS l
    JOIN line_now AS n ON n.line_id = l.id
    WHERE l.batch_id <> 0
        AND n.verdict IN ('PENDING', 'MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
) AS s
JOIN settlement_batch AS b ON b.id = s.batch_id
JOIN provider_account AS p ON p.id = b.account_id
GROUP BY p.name, b.provider_batch_id, s.currency
HAVING SUM(s.lines_now) <> SUM(s.lines) OR SUM(s.gross_now) <> SUM(s.gross)
    OR SUM(s.fee_now) <> SUM(s.fee) OR SUM(s.net_now) <> SUM(s.net)
    OR SUM(s.payouts_now) <> SUM(s.payouts) OR SUM(s.payout_net_now) <> SUM(s.payout_net)
    OR MAX(s.last_day_now) IS DISTINCT FROM MAX(s.last_day)
    OR MAX(s.first_line_now) IS DISTINCT FROM MIN(s.first_line)
    OR MAX(s.last_line_now) IS DISTINCT FROM MAX(s.last_line)
ORDER BY p.name, b.provider_batch_id, s.currency
LIMIT 1
