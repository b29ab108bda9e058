INSERT INTO ruling_now (subject, decision_id, ruling, beneath)
VALUES ($1, $2, $3, $4)
ON CONFLICT (subject) DO UPDATE SET
    decision_id = EXCLUDED.decision_id, ruling = EXCLUDED.ruling, beneath = EXCLUDED.beneath
