SELECT s.what, s.name, s.stands, s.history
FROM (
    SELECT 'intent' AS what, i.public_id AS name,
        n.state || ', version ' || CAST(n.version AS TEXT)
            || CASE WHEN n.resend_permitted = 0 THEN '' ELSE ', to be sent again' END AS stands,
        COALESCE(e.state, 'nothing') || ', version ' || CAST(COALESCE(h.version, 1) AS TEXT) AS history
    FROM intent_now AS n
    JOIN intent AS i ON i.id = n.intent_id
    LEFT JOIN (
        SELECT intent_id, MAX(version) AS version FROM intent_event GROUP BY intent_id
    ) AS h ON h.intent_id = n.intent_id
    LEFT JOIN intent_event AS e ON e.intent_id = n.intent_id AND e.version = h.version
    -- No record of this version of Tieout lets an intent be sent again.
    WHERE n.version IS DISTINCT FROM h.version OR n.state IS DISTINCT FROM e.state OR n.resend_permitted <> 0
    UNION ALL
    SELECT 'intent', i.public_id, 'nothing', e.state
    FROM intent_event AS e
    JOIN intent AS i ON i.id = e.intent_id
    WHERE NOT EXISTS (SELECT 1 FROM intent_now AS n WHERE n.intent_id = e.intent_id)
) AS s
ORDER BY s.name
LIMIT 1
