SELECT l.id, l.identity, COALESCE(b.provider_batch_id, '') AS batch
FROM rows
CROSS JOIN line l
LEFT JOIN settlement_batch b ON b.id = l.batch_id
WHERE l.id = rows.line_id
