INSERT INTO block (number, previous, root, leaf_count, sealed_at, hash)
VALUES ($1, $2, $3, $4, $5, $6)
