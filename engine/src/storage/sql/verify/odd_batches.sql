SELECT s.batch_id, s.currency, CAST(SUM(s.odd_now) AS BIGINT) AS odd_now, CAST(SUM(s.pending) AS BIGINT) AS pending
FROM (
    SELECT batch_id, currency, odd_rows AS odd_now, 0 AS odd, 0 AS pending
    FROM batch_now
    UNION ALL
    SELECT l.batch_id, l.currency, 0, 1, CASE WHEN n.verdict = 'PENDING' THEN 1 ELSE 0 END
    FROM line AS l
    JOIN line_now AS n ON n.line_id = l.id
    WHERE l.batch_id <> 0 AND l.gross - l.fee <> l.net AND l.kind NOT IN ('fee', 'dispute_fee')
        AND n.verdict IN ('PENDING', 'MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
) AS s
GROUP BY s.batch_id, s.currency
HAVING SUM(s.odd_now) <> SUM(s.odd)
ORDER BY s.batch_id, s.currency
