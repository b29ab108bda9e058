SELECT id, name FROM provider_account
