SELECT COUNT(*)
FROM line_now n
WHERE n.account_id = $1 AND n.verdict IN ('PENDING', 'PROPOSED', 'CONFLICT', 'UNMATCHED')
