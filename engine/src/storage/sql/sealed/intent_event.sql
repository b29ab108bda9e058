SELECT rows.id, rows.part, i.public_id AS intent, e.version, e.state, e.cause_kind, e.cause,
    CASE WHEN e.cause_kind IN ('decision', 'report') THEN e.at END AS acted_at
FROM rows
CROSS JOIN intent_event AS e
CROSS JOIN intent AS i
WHERE e.intent_id = rows.id AND e.version = rows.part AND i.id = e.intent_id
