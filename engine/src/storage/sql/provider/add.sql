INSERT INTO provider_account (id, name, kind, zone, created_at)
VALUES ($1, $2, $3, $4, $5)
