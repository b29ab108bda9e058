SELECT subject
FROM ruling_now
WHERE subject > $1 AND subject < $2
ORDER BY subject
LIMIT 1000
