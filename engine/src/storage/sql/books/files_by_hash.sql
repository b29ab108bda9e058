SELECT f.id, f.account_id, f.public_id, f.name, f.sha256
FROM rows
CROSS JOIN settlement_file f
WHERE f.account_id = rows.account_id AND f.sha256 >= rows.low AND f.sha256 <= rows.high
