SELECT r.child, r.parent, r.missing
FROM (
    SELECT 'attempt' AS child, 'intent' AS parent, c.intent_id AS missing FROM attempt c
    WHERE NOT EXISTS (SELECT 1 FROM intent p WHERE p.id = c.intent_id)
    UNION ALL
    SELECT 'attempt' AS child, 'provider_account' AS parent, c.account_id AS missing FROM attempt c
    WHERE NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.id = c.account_id)
    UNION ALL
    SELECT 'intent_key_now' AS child, 'intent' AS parent, c.intent_id AS missing FROM intent_key_now c
    WHERE NOT EXISTS (SELECT 1 FROM intent p WHERE p.id = c.intent_id)
    UNION ALL
    SELECT 'intent_open' AS child, 'intent' AS parent, c.intent_id AS missing FROM intent_open c
    WHERE NOT EXISTS (SELECT 1 FROM intent p WHERE p.id = c.intent_id)
    UNION ALL
    SELECT 'line' AS child, 'settlement_file' AS parent, c.file_id AS missing FROM line c
    WHERE NOT EXISTS (SELECT 1 FROM settlement_file p WHERE p.id = c.file_id)
    UNION ALL
    SELECT 'line_bucket_now' AS child, 'line' AS parent, c.line_id AS missing FROM line_bucket_now c
    WHERE NOT EXISTS (SELECT 1 FROM line p WHERE p.id = c.line_id)
    UNION ALL
    SELECT 'line_key_now' AS child, 'line' AS parent, c.line_id AS missing FROM line_key_now c
    WHERE NOT EXISTS (SELECT 1 FROM line p WHERE p.id = c.line_id)
    UNION ALL
    SELECT 'line_now' AS child, 'line' AS parent, c.line_id AS missing FROM line_now c
    WHERE NOT EXISTS (SELECT 1 FROM line p WHERE p.id = c.line_id)
    UNION ALL
    SELECT 'verdict' AS child, 'line' AS parent, c.line_id AS missing FROM verdict c
    WHERE NOT EXISTS (SELECT 1 FROM line p WHERE p.id = c.line_id)
) r
ORDER BY r.child, r.parent, r.missing
LIMIT 1
