SELECT
    s.id, s.public_id, s.account_id, a.name AS account, s.sha256, s.bytes, s.name, s.received_at, s.received_by,
    n.state, n.profile, n.encoding, n.rows_total, n.rows_done, n.report, n.error, n.failures, n.first_day, n.last_day
FROM file_now n
JOIN settlement_file s ON s.id = n.file_id
JOIN provider_account a ON a.id = s.account_id
WHERE n.account_id = $2 AND n.file_id < $1
ORDER BY n.file_id DESC
LIMIT 51
