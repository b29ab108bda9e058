SELECT version, state, cause_kind, cause, at
FROM intent_event
WHERE intent_id = $1
ORDER BY version DESC
LIMIT 200
