UPDATE file_now SET rows_done = $2, lines_done = $3 WHERE file_id = $1
