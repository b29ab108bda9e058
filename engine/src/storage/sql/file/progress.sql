-- Work that comes on has not failed: failures count at one place of a file only.
UPDATE file_now SET rows_done = $2, lines_done = $3,
    failures = CASE WHEN rows_done = $2 AND lines_done = $3 THEN failures ELSE 0 END,
    error = CASE WHEN rows_done = $2 AND lines_done = $3 THEN error ELSE '' END
WHERE file_id = $1
