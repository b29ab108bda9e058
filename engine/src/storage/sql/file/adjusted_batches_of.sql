SELECT b.provider_batch_id
FROM settlement_batch b
JOIN batch_now n ON n.batch_id = b.id
WHERE b.account_id = $1 AND n.adjusted IS NOT NULL
    AND EXISTS (
        SELECT 1 FROM line l
        WHERE l.id BETWEEN n.first_line AND n.last_line AND l.batch_id = b.id AND l.file_id = $2
    )
ORDER BY b.provider_batch_id
LIMIT 5
