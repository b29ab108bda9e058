SELECT case_id FROM case_now WHERE file_id = $1 AND file_id IS NOT NULL
