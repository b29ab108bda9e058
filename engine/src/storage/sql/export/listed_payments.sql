WHERE i.id <= $1 AND (i.id < $1 OR COALESCE(a.number, 0) > $2) AND i.id >= $3
    AND ($4 = '' OR EXISTS (
        SELECT 1
        FROM attempt AS pa
        JOIN provider_account AS pp ON pp.id = pa.account_id
        WHERE pa.intent_id = i.id AND pp.name = $4
    ))
ORDER BY i.id DESC, COALESCE(a.number, 0)
LIMIT 5000
