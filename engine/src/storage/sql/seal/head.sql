SELECT number, previous, root, leaf_count, sealed_at, hash FROM block ORDER BY number DESC LIMIT 1
