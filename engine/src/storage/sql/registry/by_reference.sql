SELECT public_id
FROM intent
WHERE merchant_reference = $1 AND merchant_reference <> ''
ORDER BY id DESC
LIMIT $2
