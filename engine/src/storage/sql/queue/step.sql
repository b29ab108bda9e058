SELECT version, what, state, detail, actor, at
FROM case_event
WHERE case_id = $1 AND version = $2
