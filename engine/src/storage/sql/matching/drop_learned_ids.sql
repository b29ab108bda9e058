DELETE FROM attempt_id_now
WHERE learned_from = 'line' AND attempt_id IN (SELECT attempt_id FROM rows)
