SELECT 'user_event' AS record, COUNT(*) AS found FROM user_event
UNION ALL SELECT 'audit_record' AS record, COUNT(*) AS found FROM audit_record
UNION ALL SELECT 'provider_policy' AS record, COUNT(*) AS found FROM provider_policy
UNION ALL SELECT 'intent' AS record, COUNT(*) AS found FROM intent
UNION ALL SELECT 'attempt' AS record, COUNT(*) AS found FROM attempt
UNION ALL SELECT 'attempt_event' AS record, COUNT(*) AS found FROM attempt_event
UNION ALL SELECT 'intent_event' AS record, COUNT(*) AS found FROM intent_event
UNION ALL SELECT 'evidence' AS record, COUNT(*) AS found FROM evidence
UNION ALL SELECT 'settlement_file' AS record, COUNT(*) AS found FROM settlement_file
UNION ALL SELECT 'file_event' AS record, COUNT(*) AS found FROM file_event
UNION ALL SELECT 'line' AS record, COUNT(*) AS found FROM line
UNION ALL SELECT 'verdict' AS record, COUNT(*) AS found FROM verdict
UNION ALL SELECT 'rejected_row' AS record, COUNT(*) AS found FROM rejected_row
UNION ALL SELECT 'review_case' AS record, COUNT(*) AS found FROM review_case
UNION ALL SELECT 'case_event' AS record, COUNT(*) AS found FROM case_event
UNION ALL SELECT 'decision' AS record, COUNT(*) AS found FROM decision
UNION ALL SELECT 'approval' AS record, COUNT(*) AS found FROM approval
UNION ALL SELECT 'ledger_entry' AS record, COUNT(*) AS found FROM ledger_entry
