-- The sums first, all of them: looked for one by one, PostgreSQL would add them up anew for each intent.
WITH moved AS (
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
),
sums AS MATERIALIZED (
    SELECT m.intent_id, m.kind, CAST(MAX(m.allowed) AS BIGINT) AS allowed,
        CAST(SUM(m.matched_now) AS BIGINT) AS matched_now, CAST(SUM(m.matched) AS BIGINT) AS matched
    FROM moved AS m
    GROUP BY m.intent_id, m.kind
)
SELECT i.public_id AS intent, s.kind, i.currency, i.amount, s.allowed, s.matched_now, s.matched
FROM sums AS s
JOIN intent AS i ON i.id = s.intent_id
WHERE s.matched_now <> s.matched OR s.allowed <> i.amount
ORDER BY i.public_id, s.kind
LIMIT 1
