INSERT INTO intent_open (intent_id, kind, allowed, matched)
SELECT intent_id, kind, allowed, matched
FROM rows
WHERE TRUE
ON CONFLICT (intent_id, kind) DO UPDATE SET allowed = EXCLUDED.allowed, matched = EXCLUDED.matched
