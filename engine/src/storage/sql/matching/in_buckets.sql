SELECT b.line_id
FROM rows CROSS JOIN line_bucket_now b
WHERE b.line_id = rows.line_id
