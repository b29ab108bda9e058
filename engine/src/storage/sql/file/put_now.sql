UPDATE file_now SET state = $2, seq = $3, profile = $4, encoding = $5, rows_total = $6, rows_done = $7,
    lines_done = $8, accepted = $9, report = $10, failures = $11, error = $12, first_day = $13, last_day = $14,
    covered_spans = $15
WHERE file_id = $1
