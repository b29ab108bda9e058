SELECT subject, decision_id, ruling, beneath FROM ruling_now WHERE subject = $1
