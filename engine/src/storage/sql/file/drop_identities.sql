DELETE FROM row_identity_now
WHERE (account_id, identity) IN (
    SELECT f.account_id, l.identity
    FROM rows
    CROSS JOIN line l
    JOIN settlement_file f ON f.id = l.file_id
    WHERE l.id = rows.line_id
) AND line_id IN (SELECT line_id FROM rows)
