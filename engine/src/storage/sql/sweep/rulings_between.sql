SELECT subject, ruling FROM ruling_now
WHERE subject >= $1 AND subject < $2
