DELETE FROM batch_now
WHERE (batch_id, currency) IN (SELECT batch_id, currency FROM rows)
    AND NOT EXISTS (
        SELECT 1
        FROM line l
        JOIN line_now n ON n.line_id = l.id
        WHERE l.id BETWEEN batch_now.first_line AND batch_now.last_line
            AND l.batch_id = batch_now.batch_id AND l.currency = batch_now.currency
            AND n.verdict IN ('PENDING', 'MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
    )
RETURNING batch_id, currency
