SELECT c.case_id
FROM rows
CROSS JOIN case_now c
WHERE c.case_id = rows.case_id
    AND (
        c.file_id = rows.file_id
        OR EXISTS (SELECT 1 FROM line l WHERE l.id = c.line_id AND l.file_id = rows.file_id)
        OR EXISTS (
            SELECT 1
            FROM line_now n
            CROSS JOIN line l
            WHERE c.line_id IS NOT NULL AND n.intent_id = c.intent_id AND n.intent_id IS NOT NULL
                AND n.verdict = 'CONFLICT' AND l.id = n.line_id AND l.file_id = rows.file_id
        )
    )
