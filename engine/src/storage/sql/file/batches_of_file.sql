SELECT b.id, b.provider_batch_id, n.currency, n.lines, n.gross, n.fee, n.net, n.payouts, n.payout_net,
       n.adjusted, n.odd_rows, n.last_day, n.first_line, n.last_line
FROM rows CROSS JOIN settlement_batch b
JOIN batch_now n ON n.batch_id = b.id
WHERE b.id = rows.batch_id
ORDER BY b.id, n.currency
