-- It only grows: a file that leaves the books, or is put away, adds its rows again and one more.
SELECT CAST(COALESCE(SUM(
    CASE WHEN f.state IN ('POSTING', 'CLOSING', 'USED') THEN f.rows_done ELSE 0 END
    + (f.rows_total + 1) * (
        SELECT COUNT(*) FROM file_event e
        WHERE e.file_id = f.file_id AND e.state IN ('TAKING_BACK', 'WITHDRAWN')
    )
), 0) AS BIGINT)
FROM file_now f
WHERE f.account_id = $1 AND f.file_id <> $2
