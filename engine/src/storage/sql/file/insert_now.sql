INSERT INTO file_now (file_id, account_id, state, seq, profile, encoding, rows_total, rows_done, lines_done,
                      accepted, report, failures, error)
VALUES ($1, $2, $3, $4, $5, '', 0, 0, 0, 0, '{}', 0, '')
