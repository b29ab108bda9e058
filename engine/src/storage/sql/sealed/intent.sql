SELECT rows.id, rows.part, i.public_id AS intent, i.merchant_reference, i.operation, i.amount,
    i.currency, i.direction, i.counterparty, i.created_at, i.loss_policy, i.source
FROM rows
CROSS JOIN intent AS i
WHERE i.id = rows.id
