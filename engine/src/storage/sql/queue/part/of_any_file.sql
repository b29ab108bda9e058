    AND $1 = 0
