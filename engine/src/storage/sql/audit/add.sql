INSERT INTO audit_record (id, at, actor, user_id, action, subject, detail)
VALUES ($1, $2, $3, $4, $5, $6, $7)
