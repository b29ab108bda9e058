INSERT INTO api_token (id, name, token_hash, scopes, user_id, created_at, revoked_at)
VALUES ($1, $2, $3, $4, $5, $6, NULL)
