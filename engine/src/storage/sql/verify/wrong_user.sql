SELECT 'account' AS what, s.name,
    s.roles_now || ', disabled ' || CAST(s.disabled_now AS TEXT) || ', made by '
        || CAST(s.created_by_now AS TEXT) || ', last changed by ' || CAST(s.changed_by_now AS TEXT)
        || ', since ' || CAST(s.created_at_now AS TEXT) AS stands,
    COALESCE(s.roles, '') || ', disabled ' || CAST(s.disabled AS TEXT) || ', made by '
        || COALESCE(CAST(s.created_by AS TEXT), 'nobody') || ', last changed by '
        || COALESCE(CAST(s.changed_by AS TEXT), 'nobody')
        || ', since ' || COALESCE(CAST(s.created_at AS TEXT), 'never') AS history
FROM (
    SELECT u.email AS name, u.roles AS roles_now, u.disabled AS disabled_now, u.created_by AS created_by_now,
        u.changed_by AS changed_by_now, u.created_at AS created_at_now,
        r.roles, CASE WHEN t.what = 'disabled' THEN 1 ELSE 0 END AS disabled, f.by_user AS created_by,
        c.by_user AS changed_by, f.at AS created_at
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
) AS s
WHERE s.roles IS DISTINCT FROM s.roles_now OR s.disabled <> s.disabled_now
    OR s.created_by IS DISTINCT FROM s.created_by_now OR s.changed_by IS DISTINCT FROM s.changed_by_now
    OR s.created_at IS DISTINCT FROM s.created_at_now
ORDER BY s.name
LIMIT 1
