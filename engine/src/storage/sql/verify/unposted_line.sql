SELECT f.sha256 AS file, l.line_no, v.seq
FROM verdict AS v
JOIN line AS l ON l.id = v.line_id
JOIN settlement_file AS f ON f.id = l.file_id
LEFT JOIN ledger_entry AS e ON e.id = v.entry_id
WHERE v.entry_id <> 0 AND (e.id IS NULL OR e.account_id <> f.account_id)
ORDER BY v.line_id, v.seq
LIMIT 1
