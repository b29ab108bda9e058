SELECT f.sha256, l.line_no
FROM line_now n
JOIN line l ON l.id = n.line_id
JOIN settlement_file f ON f.id = l.file_id
WHERE n.account_id = $1 AND n.verdict = 'UNMATCHED' AND l.file_id = $2 AND l.kind = 'unrecognised'
ORDER BY l.id
LIMIT 10000
