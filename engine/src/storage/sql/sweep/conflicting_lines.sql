SELECT line_id
FROM line_now
WHERE account_id = $1 AND verdict = 'CONFLICT'
    -- The index's own condition, which SQLite does not infer.
    AND verdict IN ('PENDING', 'PROPOSED', 'CONFLICT', 'UNMATCHED')
ORDER BY line_id
LIMIT 20000
