SELECT rows.id, rows.part, d.public_id AS decision, a.approved, a.comment, u.email AS approved_by,
    a.approved_at
FROM rows
CROSS JOIN approval AS a
CROSS JOIN decision AS d
CROSS JOIN user_account AS u
WHERE a.decision_id = rows.id AND d.id = a.decision_id AND u.id = a.approved_by
