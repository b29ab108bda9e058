-- Cases about records of files: by their line, by their payment where the case names the line, and by
-- their file where it is about such rows as a whole.
SELECT rows.place, r.public_id, c.case_id, CAST(CASE WHEN c.state = 'RESOLVED' THEN 0 ELSE 1 END AS BIGINT) AS is_open,
    CAST(CASE WHEN c.line_id = rows.line_id THEN 1 ELSE 0 END AS BIGINT) AS is_own
FROM rows
CROSS JOIN case_now AS c
CROSS JOIN review_case AS r
WHERE c.line_id = rows.line_id AND c.line_id IS NOT NULL AND r.id = c.case_id
UNION ALL
SELECT rows.place, r.public_id, c.case_id, CAST(CASE WHEN c.state = 'RESOLVED' THEN 0 ELSE 1 END AS BIGINT), CAST(0 AS BIGINT)
FROM rows
CROSS JOIN line_now AS n
CROSS JOIN case_now AS c
CROSS JOIN review_case AS r
WHERE n.line_id = rows.line_id AND c.intent_id = n.intent_id AND c.intent_id IS NOT NULL
    AND c.facts LIKE '%"name":"' || rows.name || '"%' AND r.id = c.case_id
UNION ALL
SELECT rows.place, r.public_id, c.case_id, CAST(CASE WHEN c.state = 'RESOLVED' THEN 0 ELSE 1 END AS BIGINT), CAST(0 AS BIGINT)
FROM rows
CROSS JOIN line_share_now AS s
CROSS JOIN case_now AS c
CROSS JOIN review_case AS r
WHERE s.line_id = rows.line_id AND c.intent_id = s.intent_id AND c.intent_id IS NOT NULL
    AND c.facts LIKE '%"name":"' || rows.name || '"%' AND r.id = c.case_id
UNION ALL
SELECT rows.place, r.public_id, c.case_id, CAST(CASE WHEN c.state = 'RESOLVED' THEN 0 ELSE 1 END AS BIGINT), CAST(0 AS BIGINT)
FROM rows
CROSS JOIN case_now AS c
CROSS JOIN review_case AS r
WHERE c.file_id = rows.file_id AND c.file_id IS NOT NULL AND c.kind = rows.file_case AND r.id = c.case_id
