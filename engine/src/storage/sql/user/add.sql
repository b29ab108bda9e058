INSERT INTO user_account (id, email, password_hash, roles, disabled, created_at, created_by, changed_by)
VALUES ($1, $2, $3, $4, 0, $5, $6, $6)
