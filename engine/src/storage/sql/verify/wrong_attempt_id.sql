SELECT 'attempt' AS what, s.name, s.stands, s.history
FROM (
    SELECT COALESCE(a.public_id, 'nobody') AS name,
        k.provider_payment_id || ' learned from ' || k.learned_from AS stands, 'no such id' AS history
    FROM attempt_id_now AS k
    LEFT JOIN attempt AS a ON a.id = k.attempt_id
    LEFT JOIN line AS l ON l.id = k.line_id
    LEFT JOIN settlement_file AS f ON f.id = l.file_id
    LEFT JOIN line_now AS n ON n.line_id = k.line_id
    WHERE a.id IS NULL
        OR k.learned_from NOT IN ('company', 'line')
        OR (k.learned_from = 'company' AND (
            k.line_id IS NOT NULL OR k.account_id <> a.account_id
            OR NOT EXISTS (
                SELECT 1 FROM attempt_event AS e
                WHERE e.attempt_id = k.attempt_id AND e.cause_kind = 'report'
                    AND e.provider_payment_id = k.provider_payment_id
            )
        ))
        OR (k.learned_from = 'line' AND (
            l.id IS NULL OR f.account_id <> k.account_id
            OR (l.provider_payment_id <> k.provider_payment_id AND l.modification_id <> k.provider_payment_id)
            OR NOT (
                n.intent_id IS NOT DISTINCT FROM a.intent_id
                OR EXISTS (SELECT 1 FROM line_share_now AS s WHERE s.line_id = l.id AND s.attempt_id = a.id)
            )
        ))
    UNION ALL
    SELECT a.public_id, 'no such id', e.provider_payment_id || ' learned from company'
    FROM attempt_event AS e
    JOIN attempt AS a ON a.id = e.attempt_id
    WHERE e.provider_payment_id <> '' AND e.provider_payment_id <> a.provider_payment_id
        AND NOT EXISTS (
            SELECT 1 FROM attempt_id_now AS k
            WHERE k.account_id = a.account_id AND k.provider_payment_id = e.provider_payment_id
                AND k.attempt_id = a.id
        )
    UNION ALL
    SELECT a.public_id, 'no such id', l.provider_payment_id || ' learned from line'
    FROM line_now AS n
    JOIN line AS l ON l.id = n.line_id
    JOIN attempt AS a ON a.id = n.attempt_id
    WHERE n.verdict = 'MATCHED' AND n.rule = 'R2' AND l.kind IN ('payment', 'disbursement')
        AND l.provider_payment_id <> '' AND l.provider_payment_id <> a.provider_payment_id
        AND NOT EXISTS (
            SELECT 1 FROM attempt_id_now AS k
            WHERE k.account_id = n.account_id AND k.provider_payment_id = l.provider_payment_id
                AND k.attempt_id = a.id
        )
) AS s
ORDER BY s.name, s.stands, s.history
LIMIT 1
