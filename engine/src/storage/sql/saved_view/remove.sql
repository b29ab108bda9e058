DELETE FROM saved_view
WHERE user_id = $1 AND id = $2
