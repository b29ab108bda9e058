SELECT seq, state, detail, actor, at
FROM file_event
WHERE file_id = $1
ORDER BY seq DESC
LIMIT 200
