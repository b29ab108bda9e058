SELECT b.id, b.provider_batch_id, n.currency, n.lines, n.gross, n.fee, n.net, n.payouts, n.payout_net,
       n.adjusted, n.odd_rows, n.last_day, n.first_line, n.last_line
FROM settlement_batch b JOIN batch_now n ON n.batch_id = b.id
WHERE b.account_id = $1 AND (
    (n.payouts > 0 AND n.net + n.payout_net <> COALESCE(n.adjusted, 0))
    OR n.odd_rows > 0
    OR EXISTS (
        SELECT 1 FROM case_now c
        WHERE c.account_id = $1 AND c.kind = 'batch_out_of_balance' AND c.state <> 'RESOLVED'
            AND c.batch_id = b.id
    )
)
ORDER BY b.id, n.currency
