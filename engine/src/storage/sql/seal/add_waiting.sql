INSERT INTO leaf_waiting (leaf_batch_id) VALUES ($1)
