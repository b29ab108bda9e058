SELECT COALESCE(MAX(case_id), 0)
FROM case_now
