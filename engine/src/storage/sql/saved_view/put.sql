INSERT INTO saved_view (id, user_id, name, filter, saved_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, name) DO UPDATE SET filter = EXCLUDED.filter, saved_at = EXCLUDED.saved_at
