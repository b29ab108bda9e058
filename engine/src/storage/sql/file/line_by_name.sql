SELECT l.id
FROM settlement_file f JOIN line l ON l.file_id = f.id
WHERE f.account_id = $1 AND f.sha256 >= $2 AND f.sha256 < $3 AND l.line_no = $4
