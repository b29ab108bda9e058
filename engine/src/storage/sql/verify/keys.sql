SELECT id AS id, CAST(0 AS BIGINT) AS part FROM user_event WHERE $1 = 'user_event' AND id > $2
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM audit_record WHERE $1 = 'audit_record' AND id > $2
UNION ALL SELECT account_id AS id, version AS part FROM provider_policy WHERE $1 = 'provider_policy' AND account_id >= $2 AND (account_id > $2 OR version > $3)
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM intent WHERE $1 = 'intent' AND id > $2
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM attempt WHERE $1 = 'attempt' AND id > $2
UNION ALL SELECT attempt_id AS id, seq AS part FROM attempt_event WHERE $1 = 'attempt_event' AND attempt_id >= $2 AND (attempt_id > $2 OR seq > $3)
UNION ALL SELECT intent_id AS id, version AS part FROM intent_event WHERE $1 = 'intent_event' AND intent_id >= $2 AND (intent_id > $2 OR version > $3)
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM evidence WHERE $1 = 'evidence' AND id > $2
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM settlement_file WHERE $1 = 'settlement_file' AND id > $2
UNION ALL SELECT file_id AS id, seq AS part FROM file_event WHERE $1 = 'file_event' AND file_id >= $2 AND (file_id > $2 OR seq > $3)
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM line WHERE $1 = 'line' AND id > $2
UNION ALL SELECT line_id AS id, seq AS part FROM verdict WHERE $1 = 'verdict' AND line_id >= $2 AND (line_id > $2 OR seq > $3)
UNION ALL SELECT file_id AS id, line_no AS part FROM rejected_row WHERE $1 = 'rejected_row' AND file_id >= $2 AND (file_id > $2 OR line_no > $3)
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM review_case WHERE $1 = 'review_case' AND id > $2
UNION ALL SELECT case_id AS id, version AS part FROM case_event WHERE $1 = 'case_event' AND case_id >= $2 AND (case_id > $2 OR version > $3)
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM decision WHERE $1 = 'decision' AND id > $2
UNION ALL SELECT decision_id AS id, CAST(0 AS BIGINT) AS part FROM approval WHERE $1 = 'approval' AND decision_id > $2
UNION ALL SELECT id AS id, CAST(0 AS BIGINT) AS part FROM ledger_entry WHERE $1 = 'ledger_entry' AND id > $2
ORDER BY id, part
LIMIT $4
