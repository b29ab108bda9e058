SELECT line_id, CAST(SUM(amount) AS BIGINT) AS amount
FROM line_share_now
WHERE intent_id = $1
GROUP BY line_id
