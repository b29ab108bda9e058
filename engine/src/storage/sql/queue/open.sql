    AND c.severity <= $10
    AND (c.severity < $10 OR (c.opened_at, c.case_id) > ($11, $12))
ORDER BY c.severity DESC, c.opened_at, c.case_id
LIMIT 51
