SELECT f.public_id, f.name
FROM rows CROSS JOIN settlement_file f
WHERE f.public_id = rows.public_id
