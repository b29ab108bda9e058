SELECT s.what, s.name, s.stands, s.history
FROM (
    SELECT 'intent' AS what, i.public_id AS name, n.state AS stands, COALESCE(e.state, '') AS history
    FROM intent_now AS n
    JOIN intent AS i ON i.id = n.intent_id
    LEFT JOIN intent_event AS e ON e.intent_id = n.intent_id AND e.version = n.version
    WHERE (n.version > 1 AND e.state IS DISTINCT FROM n.state)
        OR EXISTS (
            SELECT 1 FROM intent_event AS o WHERE o.intent_id = n.intent_id AND o.version > n.version
        )
    UNION ALL
    SELECT 'intent', i.public_id, '', e.state
    FROM intent_event AS e
    JOIN intent AS i ON i.id = e.intent_id
    WHERE NOT EXISTS (SELECT 1 FROM intent_now AS n WHERE n.intent_id = e.intent_id)
    UNION ALL
    SELECT 'attempt', a.public_id, n.outcome, COALESCE(e.outcome, '')
    FROM attempt_now AS n
    JOIN attempt AS a ON a.id = n.attempt_id
    LEFT JOIN attempt_event AS e ON e.attempt_id = n.attempt_id AND e.seq = n.seq
    WHERE (n.seq > 0 AND e.outcome IS DISTINCT FROM n.outcome)
        OR (n.seq = 0 AND n.outcome <> a.outcome)
        OR EXISTS (
            SELECT 1 FROM attempt_event AS o WHERE o.attempt_id = n.attempt_id AND o.seq > n.seq
        )
    UNION ALL
    SELECT 'attempt', a.public_id, '', e.outcome
    FROM attempt_event AS e
    JOIN attempt AS a ON a.id = e.attempt_id
    WHERE NOT EXISTS (SELECT 1 FROM attempt_now AS n WHERE n.attempt_id = e.attempt_id)
    UNION ALL
    SELECT 'case', c.public_id, COALESCE(n.state, ''), COALESCE(e.state, '')
    FROM review_case AS c
    LEFT JOIN case_now AS n ON n.case_id = c.id
    LEFT JOIN case_event AS e ON e.case_id = c.id AND e.version = n.version
    WHERE n.case_id IS NULL OR e.state IS DISTINCT FROM n.state
        OR EXISTS (SELECT 1 FROM case_event AS o WHERE o.case_id = c.id AND o.version > n.version)
    UNION ALL
    SELECT 'settlement file', f.public_id, COALESCE(n.state, ''), COALESCE(e.state, '')
    FROM settlement_file AS f
    LEFT JOIN file_now AS n ON n.file_id = f.id
    LEFT JOIN file_event AS e ON e.file_id = f.id AND e.seq = n.seq
    WHERE n.file_id IS NULL OR e.state IS DISTINCT FROM n.state
        OR EXISTS (SELECT 1 FROM file_event AS o WHERE o.file_id = f.id AND o.seq > n.seq)
    UNION ALL
    SELECT 'account', u.email,
        u.roles || ', disabled ' || CAST(u.disabled AS TEXT) || ', made by ' || CAST(u.created_by AS TEXT)
            || ', changed by ' || CAST(u.changed_by AS TEXT),
        COALESCE(r.roles, '') || ', ' || COALESCE(t.what, '') || ', made by ' || COALESCE(CAST(f.by_user AS TEXT), 'nobody')
            || ', changed by ' || COALESCE(CAST(c.by_user AS TEXT), 'nobody')
    FROM user_account AS u
    LEFT JOIN (
        SELECT user_id, MIN(id) AS first_id,
            MAX(CASE WHEN what IN ('added', 'roles') THEN id END) AS roles_id,
            MAX(CASE WHEN what IN ('added', 'disabled', 'enabled') THEN id END) AS state_id,
            -- A password or a token of one's own leaves open who could act as one beside oneself.
            MAX(CASE WHEN what NOT IN ('password', 'token') OR by_user <> user_id THEN id END) AS changed_id
        FROM user_event
        GROUP BY user_id
    ) AS h ON h.user_id = u.id
    LEFT JOIN user_event AS f ON f.id = h.first_id
    LEFT JOIN user_event AS r ON r.id = h.roles_id
    LEFT JOIN user_event AS t ON t.id = h.state_id
    LEFT JOIN user_event AS c ON c.id = h.changed_id
    WHERE r.roles IS DISTINCT FROM u.roles OR f.by_user IS DISTINCT FROM u.created_by
        OR c.by_user IS DISTINCT FROM u.changed_by
        OR u.disabled <> (CASE WHEN t.what = 'disabled' THEN 1 ELSE 0 END)
) AS s
ORDER BY s.what, s.name
LIMIT 1
