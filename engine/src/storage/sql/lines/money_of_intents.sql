-- Every matched line that belongs to one of the intents, whole or by a share.
SELECT found.intent_id, l.id, l.kind, l.presented_amount, l.presented_currency, l.currency, l.fee
FROM (
    SELECT rows.intent_id, n.line_id
    FROM rows CROSS JOIN line_now AS n
    WHERE n.intent_id = rows.intent_id
    UNION
    SELECT rows.intent_id, s.line_id
    FROM rows CROSS JOIN line_share_now AS s
    WHERE s.intent_id = rows.intent_id
) AS found
CROSS JOIN line AS l
CROSS JOIN line_now AS m
WHERE l.id = found.line_id AND m.line_id = found.line_id AND m.verdict = 'MATCHED'
ORDER BY found.intent_id, l.id
