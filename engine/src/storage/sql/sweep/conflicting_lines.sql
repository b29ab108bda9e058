SELECT line_id
FROM line_now
WHERE account_id = $1 AND verdict = 'CONFLICT' AND line_id > $2
    -- The index's own condition, which SQLite does not infer.
    AND verdict IN ('PENDING', 'PROPOSED', 'CONFLICT', 'UNMATCHED')
ORDER BY line_id
LIMIT $3
