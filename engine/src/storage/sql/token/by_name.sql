SELECT id, name, scopes, user_id, created_at, revoked_at
FROM api_token
WHERE name = $1
