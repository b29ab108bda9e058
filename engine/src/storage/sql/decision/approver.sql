SELECT u.email
FROM approval a
JOIN user_account u ON u.id = a.approved_by
WHERE a.decision_id = $1 AND a.approved = 1
