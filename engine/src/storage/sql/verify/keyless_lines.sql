-- Open lines that could not be found again by one of their keys. A line that was once the only
-- candidate of its provider id never got keys.
SELECT n.line_id, f.sha256 AS file, l.line_no, l.merchant_reference AS reference,
    CAST(CASE
        WHEN l.provider_payment_id <> '' AND NOT EXISTS (
            SELECT 1 FROM line_key_now AS k
            WHERE k.account_id = n.account_id AND k.key = 'p:' || l.provider_payment_id AND k.line_id = n.line_id
        ) THEN 1
        WHEN l.modification_id <> '' AND NOT EXISTS (
            SELECT 1 FROM line_key_now AS k
            WHERE k.account_id = n.account_id AND k.key = 'm:' || l.modification_id AND k.line_id = n.line_id
        ) THEN 1
        ELSE 0
    END AS BIGINT) AS lacks_id
FROM line_now AS n
JOIN line AS l ON l.id = n.line_id
JOIN settlement_file AS f ON f.id = l.file_id
WHERE n.line_id > $1 AND n.verdict IN ('PENDING', 'PROPOSED', 'CONFLICT', 'UNMATCHED')
    AND NOT EXISTS (
        SELECT 1 FROM verdict AS v WHERE v.line_id = n.line_id AND v.verdict = 'MATCHED' AND v.rule = 'R1'
    )
    AND (
        (l.provider_payment_id <> '' AND NOT EXISTS (
            SELECT 1 FROM line_key_now AS k
            WHERE k.account_id = n.account_id AND k.key = 'p:' || l.provider_payment_id AND k.line_id = n.line_id
        ))
        OR (l.modification_id <> '' AND NOT EXISTS (
            SELECT 1 FROM line_key_now AS k
            WHERE k.account_id = n.account_id AND k.key = 'm:' || l.modification_id AND k.line_id = n.line_id
        ))
        OR (l.merchant_reference <> '' AND NOT EXISTS (
            SELECT 1 FROM line_key_now AS k
            WHERE k.account_id = n.account_id AND k.key = 'r:' || l.merchant_reference AND k.line_id = n.line_id
        ))
    )
ORDER BY n.line_id
LIMIT $2
