INSERT INTO decision_now (decision_id, case_id, state, decided_by) VALUES ($1, $2, $3, $4)
