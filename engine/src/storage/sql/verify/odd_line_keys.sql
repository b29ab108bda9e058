SELECT k.line_id, k.key, f.sha256 AS file, l.line_no,
    CASE WHEN f.account_id = k.account_id THEN l.merchant_reference ELSE '' END AS reference
FROM line_key_now AS k
JOIN line AS l ON l.id = k.line_id
JOIN settlement_file AS f ON f.id = l.file_id
WHERE k.line_id >= $1 AND (k.line_id > $1 OR k.key > $2)
    AND (f.account_id <> k.account_id OR k.key IN ('p:', 'm:', 'r:')
        OR (k.key <> 'p:' || l.provider_payment_id AND k.key <> 'm:' || l.modification_id
            AND k.key <> 'r:' || l.merchant_reference))
ORDER BY k.line_id, k.key
LIMIT $3
