UPDATE file_now SET failures = 0, error = ''
WHERE failures > 0 AND ($1 = 0 OR account_id = $1) AND state IN ('RECEIVED', 'READING', 'HOLDING', 'POSTING', 'CLOSING', 'TAKING_BACK')
