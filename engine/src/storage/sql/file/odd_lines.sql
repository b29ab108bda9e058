SELECT f.sha256, l.line_no
FROM line l JOIN settlement_file f ON f.id = l.file_id
WHERE l.id BETWEEN $1 AND $2 AND l.batch_id = $3 AND l.currency = $4 AND l.gross - l.fee <> l.net
    AND l.kind NOT IN ('fee', 'dispute_fee')
ORDER BY l.id
LIMIT 20
