UPDATE attempt_now SET reported = 'unknown'
WHERE reported = 'in_flight' AND attempt_id IN (SELECT attempt_id FROM rows)
