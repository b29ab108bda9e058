SELECT f.sha256 AS file, l.line_no
FROM line_share_now AS s
JOIN line AS l ON l.id = s.line_id
JOIN settlement_file AS f ON f.id = l.file_id
LEFT JOIN line_now AS n ON n.line_id = s.line_id
LEFT JOIN verdict AS v ON v.line_id = n.line_id AND v.seq = n.seq
LEFT JOIN attempt AS a ON a.id = s.attempt_id
WHERE COALESCE(n.verdict, '') <> 'MATCHED' OR COALESCE(v.detail, '') = ''
    OR a.intent_id IS DISTINCT FROM s.intent_id
ORDER BY s.line_id, s.attempt_id
LIMIT 1
