SELECT n.account_id, n.line_id, v.detail
FROM line_now n
JOIN verdict v ON v.line_id = n.line_id AND v.seq = n.seq
WHERE n.contra IN ('suspense', 'provider_reserve', 'payouts_in_transit', 'carried_forward', 'split')
    AND n.contra = 'split' AND n.account_id = $1 AND n.line_id > $2
ORDER BY n.line_id
LIMIT 10000
