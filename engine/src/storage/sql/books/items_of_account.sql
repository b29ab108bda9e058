SELECT l.id, f.public_id AS file_id, f.name AS file_name, l.line_no, l.kind, l.accounting_day,
    n.contra_amount AS amount
FROM line_now n
JOIN line l ON l.id = n.line_id
JOIN settlement_file f ON f.id = l.file_id
WHERE n.contra IN ('suspense', 'provider_reserve', 'payouts_in_transit', 'carried_forward', 'split')
    AND n.contra <> 'split'
    AND n.account_id = $1 AND n.contra = $2 AND n.contra_currency = $3
ORDER BY n.line_id
LIMIT 100
