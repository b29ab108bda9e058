SELECT l.source_kind, l.currency, COUNT(*) AS line_count, CAST(SUM(l.net) AS BIGINT) AS net, MIN(l.line_no) AS first_line
FROM line_now n JOIN line l ON l.id = n.line_id
WHERE n.account_id = $1 AND n.verdict = 'UNMATCHED' AND l.file_id = $2 AND l.kind = 'unrecognised'
GROUP BY l.source_kind, l.currency
ORDER BY l.source_kind, l.currency
