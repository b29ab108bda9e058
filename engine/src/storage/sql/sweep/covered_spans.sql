SELECT n.file_id, n.first_day, n.last_day, n.covered_spans
FROM file_now AS n
WHERE n.account_id = $1 AND n.state = 'USED' AND n.accepted = 0
    AND n.first_day IS NOT NULL AND n.last_day IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM rejected_row AS r WHERE r.file_id = n.file_id)
ORDER BY n.first_day, n.last_day
