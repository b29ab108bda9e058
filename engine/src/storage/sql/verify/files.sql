SELECT f.id, f.public_id, f.account_id, f.sha256, f.bytes, f.name, f.received_at, f.received_by,
    n.state, n.seq, n.profile, n.encoding, n.rows_total, n.rows_done, n.lines_done, n.accepted, n.report,
    n.failures, n.error, n.first_day, n.last_day, n.covered_spans
FROM settlement_file AS f
JOIN file_now AS n ON n.file_id = f.id
WHERE f.id > $1
ORDER BY f.id
LIMIT $2
