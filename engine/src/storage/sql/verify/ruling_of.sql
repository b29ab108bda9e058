SELECT COUNT(*) FROM ruling_now WHERE subject = $1
