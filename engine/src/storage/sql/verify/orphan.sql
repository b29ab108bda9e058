SELECT r.child, r.parent, r.missing
FROM (
    SELECT 'attempt' AS child, 'intent' AS parent, c.intent_id AS missing FROM attempt c
    WHERE NOT EXISTS (SELECT 1 FROM intent p WHERE p.id = c.intent_id)
    UNION ALL
    SELECT 'attempt' AS child, 'provider_account' AS parent, c.account_id AS missing FROM attempt c
    WHERE NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.id = c.account_id)
    UNION ALL
    SELECT 'attempt_id_now' AS child, 'attempt' AS parent, c.attempt_id AS missing FROM attempt_id_now c
    WHERE NOT EXISTS (SELECT 1 FROM attempt p WHERE p.id = c.attempt_id)
    UNION ALL
    SELECT 'attempt_now' AS child, 'attempt' AS parent, c.attempt_id AS missing FROM attempt_now c
    WHERE NOT EXISTS (SELECT 1 FROM attempt p WHERE p.id = c.attempt_id)
    UNION ALL
    SELECT 'batch_now' AS child, 'settlement_batch' AS parent, c.batch_id AS missing FROM batch_now c
    WHERE NOT EXISTS (SELECT 1 FROM settlement_batch p WHERE p.id = c.batch_id)
    UNION ALL
    SELECT 'block_batch' AS child, 'block' AS parent, c.block_number AS missing FROM block_batch c
    WHERE NOT EXISTS (SELECT 1 FROM block p WHERE p.number = c.block_number)
    UNION ALL
    SELECT 'case_now' AS child, 'review_case' AS parent, c.case_id AS missing FROM case_now c
    WHERE NOT EXISTS (SELECT 1 FROM review_case p WHERE p.id = c.case_id)
    UNION ALL
    SELECT 'decision_now' AS child, 'decision' AS parent, c.decision_id AS missing FROM decision_now c
    WHERE NOT EXISTS (SELECT 1 FROM decision p WHERE p.id = c.decision_id)
    UNION ALL
    SELECT 'file_now' AS child, 'settlement_file' AS parent, c.file_id AS missing FROM file_now c
    WHERE NOT EXISTS (SELECT 1 FROM settlement_file p WHERE p.id = c.file_id)
    UNION ALL
    SELECT 'file_verdict_now' AS child, 'settlement_file' AS parent, c.file_id AS missing FROM file_verdict_now c
    WHERE NOT EXISTS (SELECT 1 FROM settlement_file p WHERE p.id = c.file_id)
    UNION ALL
    SELECT 'intent_key_now' AS child, 'intent' AS parent, c.intent_id AS missing FROM intent_key_now c
    WHERE NOT EXISTS (SELECT 1 FROM intent p WHERE p.id = c.intent_id)
    UNION ALL
    SELECT 'intent_now' AS child, 'intent' AS parent, c.intent_id AS missing FROM intent_now c
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
    SELECT 'line_share_now' AS child, 'attempt' AS parent, c.attempt_id AS missing FROM line_share_now c
    WHERE NOT EXISTS (SELECT 1 FROM attempt p WHERE p.id = c.attempt_id)
    UNION ALL
    SELECT 'line_share_now' AS child, 'line' AS parent, c.line_id AS missing FROM line_share_now c
    WHERE NOT EXISTS (SELECT 1 FROM line p WHERE p.id = c.line_id)
    UNION ALL
    SELECT 'row_identity_now' AS child, 'line' AS parent, c.line_id AS missing FROM row_identity_now c
    WHERE NOT EXISTS (SELECT 1 FROM line p WHERE p.id = c.line_id)
    UNION ALL
    SELECT 'ruling_now' AS child, 'decision' AS parent, c.decision_id AS missing FROM ruling_now c
    WHERE NOT EXISTS (SELECT 1 FROM decision p WHERE p.id = c.decision_id)
    UNION ALL
    SELECT 'verdict' AS child, 'line' AS parent, c.line_id AS missing FROM verdict c
    WHERE NOT EXISTS (SELECT 1 FROM line p WHERE p.id = c.line_id)
) r
ORDER BY r.child, r.parent, r.missing
LIMIT 1
