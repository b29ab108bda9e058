SELECT b.id, b.provider_batch_id
FROM rows CROSS JOIN settlement_batch b ON b.id = rows.batch_id
