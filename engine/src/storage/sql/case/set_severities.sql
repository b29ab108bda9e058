UPDATE case_now SET severity = rows.severity
FROM rows
WHERE case_now.case_id = rows.case_id
