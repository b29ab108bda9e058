-- An entry over lines says over how many, and after that perhaps for which closed day; one that moves
-- a line is the move of one verdict.
SELECT s.entry_id
FROM (
    SELECT entry_id, COUNT(*) AS verdicts, '{"lines":' || CAST(COUNT(*) AS TEXT) AS says
    FROM verdict
    WHERE entry_id <> 0
    GROUP BY entry_id
) AS s
JOIN ledger_entry AS e ON e.id = s.entry_id
WHERE e.cause_kind NOT IN ('lines', 'move', 'taken_back')
    OR (e.cause_kind IN ('lines', 'taken_back') AND substr(e.detail, 1, length(s.says) + 1) NOT IN (s.says || '}', s.says || ','))
    OR (e.cause_kind = 'move' AND s.verdicts <> 1)
ORDER BY s.entry_id
LIMIT 1
