SELECT l.id, f.sha256, l.line_no, l.batch_id, l.currency, l.net + l.fee - l.gross AS difference
FROM line l
JOIN line_now n ON n.line_id = l.id
JOIN settlement_file f ON f.id = l.file_id
WHERE l.file_id = $1 AND l.line_no > $2 AND l.batch_id = 0 AND l.gross - l.fee <> l.net
    AND l.kind NOT IN ('fee', 'dispute_fee')
    AND n.verdict IN ('MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
ORDER BY l.line_no
LIMIT 10000
