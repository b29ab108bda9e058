INSERT INTO decision (id, public_id, case_id, case_version, evidence_version, action, reason_code, comment,
                      params, input_hash, evidence_hashes, needs_approval, decided_by, decided_at, reverses)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
