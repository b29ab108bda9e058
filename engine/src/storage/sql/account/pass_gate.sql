UPDATE account_gate SET passed = passed + 1 WHERE account_id = $1 RETURNING passed
