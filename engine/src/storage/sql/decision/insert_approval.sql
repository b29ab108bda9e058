INSERT INTO approval (decision_id, approved, comment, approved_by, approved_at)
VALUES ($1, $2, $3, $4, $5)
