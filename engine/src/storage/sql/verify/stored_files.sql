SELECT f.id, f.account_id, f.public_id, f.name, f.sha256, f.bytes
FROM settlement_file AS f
WHERE f.id > $1
ORDER BY f.id
LIMIT $2
