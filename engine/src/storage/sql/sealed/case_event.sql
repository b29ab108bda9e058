SELECT rows.id, rows.part, c.kind, c.subject, c.opening, e.version, e.what, e.state, e.detail,
    e.actor, CASE WHEN e.actor <> 'tieout' THEN e.at END AS acted_at
FROM rows
CROSS JOIN case_event AS e
CROSS JOIN review_case AS c
WHERE e.case_id = rows.id AND e.version = rows.part AND c.id = e.case_id
