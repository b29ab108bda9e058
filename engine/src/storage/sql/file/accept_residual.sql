UPDATE batch_now SET adjusted = COALESCE(adjusted, 0) + $3
WHERE batch_id = $1 AND currency = $2
    AND CASE WHEN payouts = 0 THEN 0 ELSE net + payout_net - COALESCE(adjusted, 0) END = $3
