SELECT COUNT(*)
FROM file_now
WHERE state = 'HELD'
