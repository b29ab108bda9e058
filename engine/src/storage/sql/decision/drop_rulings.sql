DELETE FROM ruling_now WHERE decision_id = $1
