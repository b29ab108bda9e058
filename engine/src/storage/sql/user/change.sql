UPDATE user_account
SET roles = $2, disabled = $3, changed_by = $4
WHERE id = $1
