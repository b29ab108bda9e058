INSERT INTO attempt_now (attempt_id, account_id, reported, outcome, seq, since, written_off)
SELECT attempt_id, account_id, reported, outcome, seq, since, written_off
FROM rows
WHERE TRUE
ON CONFLICT (attempt_id) DO UPDATE SET
    reported = EXCLUDED.reported, outcome = EXCLUDED.outcome, seq = EXCLUDED.seq, since = EXCLUDED.since,
    written_off = EXCLUDED.written_off
