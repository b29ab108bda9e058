SELECT rows.id, rows.part, p.name AS provider, f.sha256 AS file, r.line_no, r.byte_offset,
    r.byte_len, r.row_id, r.column_name, r.value, r.reason, r.message
FROM rows
CROSS JOIN rejected_row AS r
CROSS JOIN settlement_file AS f
CROSS JOIN provider_account AS p
WHERE r.file_id = rows.id AND r.line_no = rows.part AND f.id = r.file_id AND p.id = f.account_id
