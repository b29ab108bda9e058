SELECT t.id, t.name, t.scopes, COALESCE(u.email, '') AS email, t.created_at, t.revoked_at
FROM api_token t
LEFT JOIN user_account u ON u.id = t.user_id
ORDER BY t.name
