SELECT rows.id, rows.part, a.at, a.actor, a.action, a.subject, a.detail
FROM rows
CROSS JOIN audit_record AS a
WHERE a.id = rows.id
