INSERT INTO batch_now (batch_id, currency, lines, gross, fee, net, payouts, payout_net, odd_rows, last_day,
                       first_line, last_line)
SELECT batch_id, currency, lines, gross, fee, net, payouts, payout_net, odd_rows, last_day, first_line, last_line
FROM rows
WHERE TRUE
ON CONFLICT (batch_id, currency) DO UPDATE SET
    lines = batch_now.lines + EXCLUDED.lines, gross = batch_now.gross + EXCLUDED.gross,
    fee = batch_now.fee + EXCLUDED.fee, net = batch_now.net + EXCLUDED.net,
    payouts = batch_now.payouts + EXCLUDED.payouts, payout_net = batch_now.payout_net + EXCLUDED.payout_net,
    odd_rows = batch_now.odd_rows + EXCLUDED.odd_rows,
    last_day = CASE WHEN EXCLUDED.last_day > batch_now.last_day THEN EXCLUDED.last_day ELSE batch_now.last_day END,
    first_line = CASE WHEN EXCLUDED.first_line < batch_now.first_line THEN EXCLUDED.first_line ELSE batch_now.first_line END,
    last_line = CASE WHEN EXCLUDED.last_line > batch_now.last_line THEN EXCLUDED.last_line ELSE batch_now.last_line END
