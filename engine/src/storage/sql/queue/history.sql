SELECT version, what, state, detail, actor, at
FROM case_event
WHERE case_id = $1
ORDER BY version DESC
LIMIT 200
