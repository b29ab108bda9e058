WHERE i.id >= $1 AND (i.id > $1 OR COALESCE(a.number, 0) > $2)
    AND i.created_at >= $3 AND i.created_at < $4 AND ($5 = '' OR p.name = $5)
ORDER BY i.id, COALESCE(a.number, 0)
LIMIT 5000
