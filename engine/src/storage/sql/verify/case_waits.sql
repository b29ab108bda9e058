SELECT d.case_id, d.case_version, d.params
FROM decision AS d
WHERE d.case_id > $1 AND d.case_id <= $2 AND d.action IN ('snooze', 'wait_for_provider')
ORDER BY d.case_id, d.id
