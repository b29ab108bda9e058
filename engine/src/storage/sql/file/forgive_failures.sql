UPDATE file_now SET failures = 0, error = ''
WHERE failures > 0 AND state IN ('RECEIVED', 'READING', 'HOLDING', 'POSTING', 'CLOSING')
