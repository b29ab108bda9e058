UPDATE decision_now SET state = $2 WHERE decision_id = $1
