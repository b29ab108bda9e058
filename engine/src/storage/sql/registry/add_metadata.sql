INSERT INTO intent_metadata (intent_id, metadata) VALUES ($1, $2)
