INSERT INTO provider_policy (account_id, version, fields, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5)
