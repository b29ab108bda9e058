    AND ($2 = '' OR c.kind = $2)
    AND ($3 = 0 OR c.account_id = $3)
    AND ($4 = '' OR c.currency = $4)
    AND c.at_risk >= $5
