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
    -- A batch is counted with the files in which it begins and ends.
    UNION
    SELECT c.case_id, l.file_id, CASE WHEN c.state = 'WAITING' THEN 1 ELSE 0 END AS waits
    FROM case_now c
    CROSS JOIN batch_now b
    CROSS JOIN line l
    WHERE c.state <> 'RESOLVED' AND c.batch_id IS NOT NULL AND b.batch_id = c.batch_id
        AND l.id = b.first_line
    UNION
    SELECT c.case_id, l.file_id, CASE WHEN c.state = 'WAITING' THEN 1 ELSE 0 END AS waits
    FROM case_now c
    CROSS JOIN batch_now b
    CROSS JOIN line l
    WHERE c.state <> 'RESOLVED' AND c.batch_id IS NOT NULL AND b.batch_id = c.batch_id
        AND l.id = b.last_line
) k
WHERE k.file_id IN (SELECT rows.file_id FROM rows)
GROUP BY k.file_id
