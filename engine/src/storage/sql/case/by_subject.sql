SELECT r.id AS case_id
FROM rows CROSS JOIN review_case r ON r.kind = rows.kind AND r.subject = rows.subject
