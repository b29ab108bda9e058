SELECT COALESCE(MAX(id), 0)
FROM settlement_file
