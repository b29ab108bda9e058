INSERT INTO leaf_batch (id, record, first_id, last_id, part, refs, leaf_count, leaves)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
