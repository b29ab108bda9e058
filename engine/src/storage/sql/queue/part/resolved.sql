WHERE c.state = 'RESOLVED'
