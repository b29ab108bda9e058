SELECT v.seq, v.at, v.verdict, v.rule, v.policy_version, v.detail, v.contra, v.entry_id, v.cause_kind, v.cause
FROM verdict v
WHERE v.line_id = $1
ORDER BY v.seq DESC
