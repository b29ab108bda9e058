SELECT e.case_id, e.version, e.what, e.state, e.detail, e.actor, e.at
FROM case_event AS e
WHERE e.case_id > $1 AND e.case_id <= $2
ORDER BY e.case_id, e.version
