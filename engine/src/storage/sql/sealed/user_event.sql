SELECT rows.id, rows.part, u.email AS "user", e.what, e.roles,
    COALESCE(b.email, 'operator') AS "by", e.at
FROM rows
CROSS JOIN user_event AS e
CROSS JOIN user_account AS u
LEFT JOIN user_account AS b ON b.id = e.by_user
WHERE e.id = rows.id AND u.id = e.user_id
