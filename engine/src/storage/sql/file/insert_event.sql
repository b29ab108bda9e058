INSERT INTO file_event (file_id, seq, state, detail, actor, at)
VALUES ($1, $2, $3, $4, $5, $6)
