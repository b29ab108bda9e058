SELECT rows.id, rows.part, d.public_id AS decision, c.kind AS case_kind, c.subject AS case_subject,
    c.opening AS case_opening, d.case_version, d.evidence_version, d.action, d.reason_code,
    d.comment, d.params, d.input_hash, d.evidence_hashes, d.needs_approval,
    u.email AS decided_by, d.decided_at, r.public_id AS reverses
FROM rows
CROSS JOIN decision AS d
CROSS JOIN review_case AS c
CROSS JOIN user_account AS u
LEFT JOIN decision AS r ON r.id = d.reverses
WHERE d.id = rows.id AND c.id = d.case_id AND u.id = d.decided_by
