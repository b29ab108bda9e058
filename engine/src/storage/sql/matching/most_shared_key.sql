SELECT rows.key, COUNT(*) AS lines
FROM rows CROSS JOIN line_key_now k
WHERE k.account_id = rows.account_id AND k.key = rows.key
GROUP BY rows.key
ORDER BY lines DESC, rows.key
LIMIT 1
