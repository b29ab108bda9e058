SELECT subject, decision_id, ruling, beneath FROM ruling_now WHERE decision_id = $1 ORDER BY subject
