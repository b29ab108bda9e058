SELECT r.identity, r.line_id, r.content
FROM rows CROSS JOIN row_identity_now r
WHERE r.account_id = rows.account_id AND r.identity = rows.identity
