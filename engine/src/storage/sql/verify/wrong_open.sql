SELECT i.public_id AS intent, s.kind, i.currency, i.amount,
    CAST(MAX(s.allowed) AS BIGINT) AS allowed,
    CAST(SUM(s.matched_now) AS BIGINT) AS matched_now, CAST(SUM(s.matched) AS BIGINT) AS matched
FROM (
    SELECT intent_id, kind, allowed, matched AS matched_now, 0 AS matched FROM intent_open
    UNION ALL
    SELECT n.intent_id,
        CASE
            WHEN l.kind IN ('refund', 'refund_reversal') THEN 'refund'
            WHEN l.kind IN ('chargeback', 'chargeback_reversal') THEN 'chargeback'
            ELSE 'capture'
        END,
        NULL, 0,
        CASE
            WHEN l.kind IN ('payment', 'payment_reversal') AND i.direction = 'in'
                AND i.operation <> 'refund' THEN l.presented_amount
            ELSE -l.presented_amount
        END
    FROM line_now AS n
    JOIN line AS l ON l.id = n.line_id
    JOIN intent AS i ON i.id = n.intent_id
    WHERE n.verdict = 'MATCHED'
        AND NOT EXISTS (SELECT 1 FROM line_share_now AS o WHERE o.line_id = n.line_id)
    UNION ALL
    SELECT sh.intent_id,
        CASE
            WHEN l.kind IN ('refund', 'refund_reversal') THEN 'refund'
            WHEN l.kind IN ('chargeback', 'chargeback_reversal') THEN 'chargeback'
            ELSE 'capture'
        END,
        NULL, 0, sh.amount
    FROM line_share_now AS sh
    JOIN line_now AS n ON n.line_id = sh.line_id
    JOIN line AS l ON l.id = sh.line_id
    WHERE n.verdict = 'MATCHED'
) AS s
JOIN intent AS i ON i.id = s.intent_id
GROUP BY i.public_id, s.kind, i.currency, i.amount
HAVING SUM(s.matched_now) <> SUM(s.matched) OR MAX(s.allowed) <> i.amount
ORDER BY i.public_id, s.kind
LIMIT 1
