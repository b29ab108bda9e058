SELECT subject, ruling FROM ruling_now WHERE decision_id = $1 ORDER BY subject
