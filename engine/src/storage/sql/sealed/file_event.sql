SELECT rows.id, rows.part, p.name AS provider, f.sha256 AS file, e.seq, e.state, e.detail, e.actor,
    CASE WHEN e.actor <> 'tieout' THEN e.at END AS acted_at
FROM rows
CROSS JOIN file_event AS e
CROSS JOIN settlement_file AS f
CROSS JOIN provider_account AS p
WHERE e.file_id = rows.id AND e.seq = rows.part AND f.id = e.file_id AND p.id = f.account_id
