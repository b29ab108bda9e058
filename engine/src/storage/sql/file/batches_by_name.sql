SELECT b.provider_batch_id, b.id
FROM rows CROSS JOIN settlement_batch b
WHERE b.account_id = rows.account_id AND b.provider_batch_id = rows.provider_batch_id
