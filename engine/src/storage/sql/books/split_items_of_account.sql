SELECT l.id, f.public_id AS file_id, f.name AS file_name, l.line_no, l.kind, l.accounting_day,
    l.net + l.fee - l.gross AS off_by, v.detail
FROM line_now n
JOIN line l ON l.id = n.line_id
JOIN settlement_file f ON f.id = l.file_id
JOIN verdict v ON v.line_id = n.line_id AND v.seq = n.seq
WHERE n.contra IN ('suspense', 'provider_reserve', 'payouts_in_transit', 'carried_forward', 'split')
    AND n.contra = 'split' AND n.account_id = $1 AND n.line_id > $2
ORDER BY n.line_id
LIMIT 1000
