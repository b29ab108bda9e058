SELECT id, email, password_hash, roles, disabled, created_at, created_by, changed_by
FROM user_account
WHERE email = $1
