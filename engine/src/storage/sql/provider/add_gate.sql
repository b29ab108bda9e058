INSERT INTO account_gate (account_id, passed)
VALUES ($1, 0)
