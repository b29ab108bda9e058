-- The entries that one decision caused, and those that took them back: few beside those of lines.
CREATE INDEX ledger_entry_decided ON ledger_entry (cause, id) WHERE cause_kind IN ('decision', 'reversal');
