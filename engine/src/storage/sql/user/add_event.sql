INSERT INTO user_event (id, user_id, what, roles, by_user, at)
VALUES ($1, $2, $3, $4, $5, $6)
