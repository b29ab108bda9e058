SELECT id
FROM intent
WHERE currency = $1 AND amount = $2
ORDER BY created_at DESC, id DESC
LIMIT 21
