DELETE FROM leaf_waiting WHERE leaf_batch_id IN (SELECT id FROM rows)
