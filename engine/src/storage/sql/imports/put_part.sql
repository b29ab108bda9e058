INSERT INTO payments_import_part (first_attempt, last_attempt, import_id, lines)
VALUES ($1, $2, $3, $4)
