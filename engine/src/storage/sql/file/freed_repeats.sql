-- Rows of used files that did not count since another row did, which no longer does.
SELECT l.id
FROM file_now w
CROSS JOIN line l
JOIN line_now n ON n.line_id = l.id
WHERE w.account_id = $1 AND w.state = 'USED'
    AND EXISTS (
        SELECT 1 FROM file_verdict_now v
        WHERE v.file_id = w.file_id AND v.verdict = 'REPEATED' AND v.line_count > 0
    )
    AND l.file_id = w.file_id AND l.id > $2 AND n.verdict = 'REPEATED'
    AND NOT EXISTS (SELECT 1 FROM row_identity_now r WHERE r.account_id = $1 AND r.identity = l.identity)
ORDER BY l.id
LIMIT $3
