SELECT number, previous, root, leaf_count, sealed_at, hash FROM block WHERE number = $1
