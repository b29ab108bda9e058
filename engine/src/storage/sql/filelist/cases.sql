SELECT k.file_id, COUNT(*) AS unresolved, CAST(SUM(k.waits) AS BIGINT) AS waiting
FROM (
    SELECT c.case_id, c.file_id, CASE WHEN c.state = 'WAITING' THEN 1 ELSE 0 END AS waits
    FROM case_now c
    WHERE c.state <> 'RESOLVED' AND c.file_id IS NOT NULL
    UNION
    SELECT c.case_id, l.file_id, CASE WHEN c.state = 'WAITING' THEN 1 ELSE 0 END AS waits
    FROM case_now c
    CROSS JOIN line l
    WHERE c.state <> 'RESOLVED' AND c.line_id IS NOT NULL AND l.id = c.line_id
    UNION
    SELECT c.case_id, l.file_id, CASE WHEN c.state = 'WAITING' THEN 1 ELSE 0 END AS waits
    FROM case_now c
    CROSS JOIN line_now n
    CROSS JOIN line l
    WHERE c.state <> 'RESOLVED' AND c.line_id IS NOT NULL AND c.intent_id IS NOT NULL
        AND n.intent_id = c.intent_id AND n.intent_id IS NOT NULL AND n.verdict = 'CONFLICT'
        AND l.id = n.line_id
) k
WHERE k.file_id IN (SELECT rows.file_id FROM rows)
GROUP BY k.file_id
