DELETE FROM line_share_now WHERE line_id IN (SELECT line_id FROM rows)
