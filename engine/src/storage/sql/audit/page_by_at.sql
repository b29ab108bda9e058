SELECT id, at, actor, action, subject, detail
FROM audit_record
WHERE (at, id) < ($1, $2)
    AND at >= $3
    AND ($4 = '' OR actor = $4)
    AND ($5 = '' OR action = $5)
    AND ($6 = '' OR subject = $6)
ORDER BY at DESC, id DESC
LIMIT 51
