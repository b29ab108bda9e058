DELETE FROM rematch WHERE id = $1
