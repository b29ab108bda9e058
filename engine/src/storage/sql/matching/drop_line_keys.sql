DELETE FROM line_key_now WHERE line_id IN (SELECT line_id FROM rows)
