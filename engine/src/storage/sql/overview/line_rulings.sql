SELECT substr(r.subject, 6, 16) AS file_start, COUNT(*) AS lines
FROM ruling_now r
WHERE r.subject >= 'line:' AND r.subject < 'line;'
GROUP BY substr(r.subject, 6, 16)
