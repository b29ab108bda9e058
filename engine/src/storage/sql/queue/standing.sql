SELECT c.evidence_version, c.lease_until, c.resolution, c.intent_id, c.line_id, c.file_id, c.batch_id
FROM case_now c
WHERE c.case_id = $1
