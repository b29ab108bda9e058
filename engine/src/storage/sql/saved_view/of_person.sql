SELECT id, name, filter
FROM saved_view
WHERE user_id = $1
ORDER BY name
LIMIT 20
