SELECT r.subject, r.ruling
FROM rows CROSS JOIN ruling_now r ON r.subject = rows.subject
