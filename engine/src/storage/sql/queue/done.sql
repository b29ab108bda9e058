    AND (c.resolved_at, c.case_id) < ($6, $7)
ORDER BY c.resolved_at DESC, c.case_id DESC
LIMIT 51
