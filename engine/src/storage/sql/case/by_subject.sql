SELECT r.id AS case_id
FROM rows CROSS JOIN review_case r
WHERE r.kind = rows.kind AND r.subject = rows.subject
