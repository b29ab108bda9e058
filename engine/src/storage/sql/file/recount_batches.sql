, found AS (
    SELECT b.batch_id, b.currency, MAX(rows.odd_rows) AS odd_rows, COUNT(*) AS lines,
        CAST(SUM(CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 0 ELSE l.gross END) AS BIGINT) AS gross,
        CAST(SUM(CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 0 ELSE l.fee END) AS BIGINT) AS fee,
        CAST(SUM(CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 0 ELSE l.net END) AS BIGINT) AS net,
        CAST(SUM(CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN 1 ELSE 0 END) AS BIGINT) AS payouts,
        CAST(SUM(CASE WHEN l.kind IN ('payout', 'payout_reversal') THEN l.net ELSE 0 END) AS BIGINT) AS payout_net,
        MAX(l.accounting_day) AS last_day, MIN(l.id) AS first_line, MAX(l.id) AS last_line
    FROM rows
    CROSS JOIN batch_now b
    CROSS JOIN line l
    JOIN line_now n ON n.line_id = l.id
    WHERE b.batch_id = rows.batch_id AND b.currency = rows.currency
        AND l.id BETWEEN b.first_line AND b.last_line
        AND l.batch_id = b.batch_id AND l.currency = b.currency
        AND n.verdict IN ('PENDING', 'MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
    GROUP BY b.batch_id, b.currency
)
UPDATE batch_now SET
    lines = found.lines, gross = found.gross, fee = found.fee, net = found.net, payouts = found.payouts,
    payout_net = found.payout_net, odd_rows = batch_now.odd_rows - found.odd_rows,
    last_day = found.last_day, first_line = found.first_line, last_line = found.last_line
FROM found
WHERE batch_now.batch_id = found.batch_id AND batch_now.currency = found.currency
