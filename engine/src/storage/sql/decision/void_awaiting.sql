UPDATE decision_now SET state = 'VOID' WHERE case_id = $1 AND state = 'AWAITING'
