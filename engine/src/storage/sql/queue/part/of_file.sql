    AND (
        $1 = 0
        OR c.file_id = $1
        OR EXISTS (SELECT 1 FROM line l WHERE l.id = c.line_id AND l.file_id = $1)
        OR EXISTS (
            SELECT 1
            FROM batch_now b
            CROSS JOIN line l
            WHERE b.batch_id = c.batch_id AND l.id = b.first_line AND l.file_id = $1
        )
        OR EXISTS (
            SELECT 1
            FROM batch_now b
            CROSS JOIN line l
            WHERE b.batch_id = c.batch_id AND l.id = b.last_line AND l.file_id = $1
        )
        OR EXISTS (
            SELECT 1
            FROM line_now n
            CROSS JOIN line l
            WHERE c.line_id IS NOT NULL AND n.intent_id = c.intent_id AND n.intent_id IS NOT NULL
                AND n.verdict = 'CONFLICT' AND l.id = n.line_id AND l.file_id = $1
        )
    )
