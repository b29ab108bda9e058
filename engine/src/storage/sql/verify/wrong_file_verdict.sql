SELECT f.public_id AS name, s.verdict, CAST(SUM(s.stands) AS BIGINT) AS stands,
    CAST(SUM(s.lines) AS BIGINT) AS lines
FROM (
    SELECT file_id, verdict, line_count AS stands, 0 AS lines FROM file_verdict_now
    UNION ALL
    SELECT l.file_id, n.verdict, 0, COUNT(*)
    FROM line AS l
    JOIN line_now AS n ON n.line_id = l.id
    GROUP BY l.file_id, n.verdict
) AS s
JOIN settlement_file AS f ON f.id = s.file_id
GROUP BY f.public_id, s.verdict
HAVING SUM(s.stands) <> SUM(s.lines)
ORDER BY f.public_id, s.verdict
LIMIT 1
