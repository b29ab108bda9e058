SELECT r.subject, r.ruling
FROM rows CROSS JOIN ruling_now r
WHERE r.subject = rows.subject
