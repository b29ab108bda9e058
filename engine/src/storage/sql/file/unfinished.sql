SELECT file_id FROM file_now
WHERE state IN ('RECEIVED', 'READING', 'HOLDING', 'POSTING', 'CLOSING') AND failures < 3
ORDER BY file_id
