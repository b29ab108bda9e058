SELECT case_id
FROM case_now
WHERE account_id = $1 AND kind = 'missing_file' AND state <> 'RESOLVED' AND file_id IS NULL
ORDER BY case_id
