SELECT facts FROM case_now
WHERE account_id = $1 AND kind IN ('proposed_match', 'ambiguous_match', 'contradiction') AND state <> 'RESOLVED'
