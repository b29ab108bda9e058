SELECT i.id, i.public_id, i.merchant_reference, i.operation, i.amount, i.currency, i.direction,
       i.counterparty, i.created_at, i.loss_policy
FROM rows CROSS JOIN intent i
WHERE i.id = rows.intent_id
