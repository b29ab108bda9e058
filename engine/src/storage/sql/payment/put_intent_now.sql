INSERT INTO intent_now (intent_id, state, version, resend_permitted)
SELECT intent_id, state, version, resend_permitted
FROM rows
WHERE TRUE
ON CONFLICT (intent_id) DO UPDATE SET
    state = EXCLUDED.state, version = EXCLUDED.version, resend_permitted = EXCLUDED.resend_permitted
