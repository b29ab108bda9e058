INSERT INTO settlement_file (id, public_id, account_id, sha256, bytes, name, received_at, received_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
