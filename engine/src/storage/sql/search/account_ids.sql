SELECT id
FROM provider_account
