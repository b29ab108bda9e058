SELECT DISTINCT b.account_id, b.currency, b.amount, b.direction
FROM rows CROSS JOIN intent i
JOIN attempt a ON a.intent_id = i.id
JOIN line_bucket_now b ON b.account_id = a.account_id AND b.currency = i.currency
    AND b.amount = i.amount AND b.direction = i.direction
WHERE i.id = rows.intent_id
