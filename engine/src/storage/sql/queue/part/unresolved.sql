WHERE c.state <> 'RESOLVED'
    AND (
        ($6 = 'all' AND c.state <> 'WAITING')
        OR ($6 = 'mine' AND c.owner_id = $7)
        OR ($6 = 'over_48h' AND c.state <> 'WAITING' AND c.opened_at < $8)
        OR ($6 = 'waiting' AND c.state = 'WAITING')
    )
    AND ($9 = 0 OR c.owner_id = $9 OR ($9 = -1 AND c.owner_id IS NULL))
