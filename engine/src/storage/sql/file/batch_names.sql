SELECT b.id, b.provider_batch_id
FROM rows CROSS JOIN settlement_batch b
WHERE b.id = rows.batch_id
