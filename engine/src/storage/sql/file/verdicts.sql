SELECT verdict, line_count FROM file_verdict_now WHERE file_id = $1 AND line_count <> 0 ORDER BY verdict
