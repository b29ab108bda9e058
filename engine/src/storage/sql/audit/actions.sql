WITH RECURSIVE distinct_action (action) AS (
    SELECT MIN(action) FROM audit_record
    UNION ALL
    SELECT (SELECT MIN(r.action) FROM audit_record r WHERE r.action > d.action)
    FROM distinct_action d
    WHERE d.action IS NOT NULL
)
SELECT action
FROM distinct_action
WHERE action IS NOT NULL
