    AND c.severity >= $10
    AND (c.severity > $10 OR (c.opened_at, c.case_id) < ($11, $12))
ORDER BY c.severity, c.opened_at DESC, c.case_id DESC
LIMIT 1
