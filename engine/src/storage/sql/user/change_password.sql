UPDATE user_account
SET password_hash = $2, changed_by = $3
WHERE id = $1
