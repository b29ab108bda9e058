SELECT id, at, actor, action, subject, detail
FROM audit_record
WHERE subject = $6
    AND (at, id) < ($1, $2)
    AND at >= $3
    AND ($4 = '' OR actor = $4)
    AND ($5 = '' OR action = $5)
ORDER BY at DESC, id DESC
LIMIT 51
