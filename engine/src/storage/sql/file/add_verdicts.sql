INSERT INTO file_verdict_now (file_id, verdict, line_count)
SELECT file_id, verdict, line_count
FROM rows
WHERE TRUE
ON CONFLICT (file_id, verdict) DO UPDATE SET
    line_count = file_verdict_now.line_count + EXCLUDED.line_count
