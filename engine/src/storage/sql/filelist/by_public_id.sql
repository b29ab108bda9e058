SELECT
    s.id, s.public_id, s.account_id, a.name AS account, s.sha256, s.bytes, s.name, s.received_at, s.received_by,
    n.state, n.profile, n.encoding, n.rows_total, n.rows_done, n.report, n.error, n.failures, n.first_day, n.last_day
FROM settlement_file s
JOIN file_now n ON n.file_id = s.id
JOIN provider_account a ON a.id = s.account_id
WHERE s.public_id = $1
