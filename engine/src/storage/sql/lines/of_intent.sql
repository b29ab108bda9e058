SELECT found.line_id
FROM (
    SELECT n.line_id FROM line_now n WHERE n.intent_id = $1
    UNION
    SELECT s.line_id FROM line_share_now s WHERE s.intent_id = $1
) found
ORDER BY found.line_id
LIMIT 500
