SELECT b.line_id
FROM rows CROSS JOIN line_bucket_now b
WHERE b.account_id = rows.account_id AND b.currency = rows.currency AND b.amount = rows.amount AND b.direction = rows.direction
