SELECT rows.id, rows.part, p.name AS provider, f.sha256 AS file, l.line_no, v.seq, v.verdict,
    v.rule, v.policy_version, i.public_id AS intent, a.public_id AS attempt, v.contra,
    v.contra_amount, v.contra_currency, v.detail, v.cause_kind, v.cause
FROM rows
CROSS JOIN verdict AS v
CROSS JOIN line AS l
CROSS JOIN settlement_file AS f
CROSS JOIN provider_account AS p
LEFT JOIN intent AS i ON i.id = v.intent_id
LEFT JOIN attempt AS a ON a.id = v.attempt_id
WHERE v.line_id = rows.id AND v.seq = rows.part AND l.id = v.line_id AND f.id = l.file_id
    AND p.id = f.account_id
