SELECT f.id, f.public_id, n.state
FROM settlement_file f JOIN file_now n ON n.file_id = f.id
WHERE f.account_id = $1 AND f.sha256 = $2
