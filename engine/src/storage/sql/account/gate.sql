SELECT passed FROM account_gate WHERE account_id = $1
