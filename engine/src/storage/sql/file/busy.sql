-- Work that stopped and goes no further counts as well: some of its rows may be in the books.
SELECT f.name, w.state FROM file_now w
JOIN settlement_file f ON f.id = w.file_id
WHERE w.account_id = $1 AND (
    w.state IN ('POSTING', 'CLOSING', 'TAKING_BACK')
    OR w.state IN ('RECEIVED', 'READING', 'HOLDING') AND w.failures < 3
)
ORDER BY w.file_id
LIMIT 1
