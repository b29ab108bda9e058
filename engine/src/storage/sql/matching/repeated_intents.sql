-- The plus sign keeps SQLite on the range: an index over accounts would lead to every attempt of one.
SELECT DISTINCT a.intent_id
FROM attempt a
LEFT JOIN attempt_now w ON w.attempt_id = a.id
WHERE a.id BETWEEN $2 AND $3 AND +a.account_id = $1
    AND (
        a.number > 1
        OR EXISTS (SELECT 1 FROM attempt o WHERE o.intent_id = a.intent_id AND o.number > 1)
        OR COALESCE(w.seq, 0) > 0
        OR EXISTS (SELECT 1 FROM evidence e WHERE e.attempt_id = a.id)
    )
ORDER BY a.intent_id
