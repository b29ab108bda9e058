SELECT n.line_id, f.sha256 AS file, l.line_no, v.detail
FROM line_now AS n
JOIN verdict AS v ON v.line_id = n.line_id AND v.seq = n.seq
JOIN line AS l ON l.id = n.line_id
JOIN settlement_file AS f ON f.id = l.file_id
WHERE n.line_id > $1 AND n.verdict = 'MATCHED' AND v.detail <> ''
ORDER BY n.line_id
LIMIT $2
