SELECT CAST(CASE WHEN
    EXISTS (SELECT 1 FROM line_key_now WHERE account_id = $1)
    OR EXISTS (SELECT 1 FROM attempt_id_now WHERE account_id = $1)
    OR EXISTS (SELECT 1 FROM line_bucket_now WHERE account_id = $1)
    OR EXISTS (SELECT 1 FROM ruling_now)
    OR EXISTS (SELECT 1 FROM evidence)
THEN 1 ELSE 0 END AS BIGINT)
