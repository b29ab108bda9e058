SELECT
    t.id AS token_id, t.name, t.scopes, t.user_id, u.email, u.roles, u.disabled
FROM api_token t
LEFT JOIN user_account u ON u.id = t.user_id
WHERE t.token_hash = $1 AND t.revoked_at IS NULL
