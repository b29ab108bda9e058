SELECT n.line_id, n.account_id, v.detail
FROM line_now AS n
JOIN verdict AS v ON v.line_id = n.line_id AND v.seq = n.seq
WHERE n.contra = 'split' AND n.line_id > $1
    AND n.verdict IN ('MATCHED', 'PROPOSED', 'CONFLICT', 'UNMATCHED', 'ACCOUNTED')
ORDER BY n.line_id
LIMIT $2
