-- An entry over lines says over how many; one that moves a line is the move of one verdict.
SELECT s.entry_id
FROM (SELECT entry_id, COUNT(*) AS verdicts FROM verdict WHERE entry_id <> 0 GROUP BY entry_id) AS s
JOIN ledger_entry AS e ON e.id = s.entry_id
WHERE e.cause_kind NOT IN ('lines', 'move')
    OR (e.cause_kind = 'lines' AND e.detail <> '{"lines":' || CAST(s.verdicts AS TEXT) || '}')
    OR (e.cause_kind = 'move' AND s.verdicts <> 1)
ORDER BY s.entry_id
LIMIT 1
