SELECT id FROM intent WHERE id = $1
