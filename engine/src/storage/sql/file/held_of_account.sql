SELECT file_id
FROM file_now
WHERE state = 'HELD' AND account_id = $1
ORDER BY file_id
