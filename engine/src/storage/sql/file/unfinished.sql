SELECT file_id FROM file_now
WHERE state IN ('RECEIVED', 'READING', 'HOLDING', 'POSTING', 'CLOSING', 'TAKING_BACK') AND failures < 3
ORDER BY file_id
