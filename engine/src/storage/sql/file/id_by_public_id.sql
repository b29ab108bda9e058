SELECT id FROM settlement_file WHERE public_id = $1
