-- Histories are only ever added to.
CREATE TRIGGER user_event_no_update BEFORE UPDATE ON user_event BEGIN SELECT RAISE(ABORT, 'append_only: user_event'); END;
CREATE TRIGGER user_event_no_delete BEFORE DELETE ON user_event BEGIN SELECT RAISE(ABORT, 'append_only: user_event'); END;
CREATE TRIGGER audit_record_no_update BEFORE UPDATE ON audit_record BEGIN SELECT RAISE(ABORT, 'append_only: audit_record'); END;
CREATE TRIGGER audit_record_no_delete BEFORE DELETE ON audit_record BEGIN SELECT RAISE(ABORT, 'append_only: audit_record'); END;
CREATE TRIGGER provider_policy_no_update BEFORE UPDATE ON provider_policy BEGIN SELECT RAISE(ABORT, 'append_only: provider_policy'); END;
CREATE TRIGGER provider_policy_no_delete BEFORE DELETE ON provider_policy BEGIN SELECT RAISE(ABORT, 'append_only: provider_policy'); END;
CREATE TRIGGER intent_no_update BEFORE UPDATE ON intent BEGIN SELECT RAISE(ABORT, 'append_only: intent'); END;
CREATE TRIGGER intent_no_delete BEFORE DELETE ON intent BEGIN SELECT RAISE(ABORT, 'append_only: intent'); END;
CREATE TRIGGER attempt_no_update BEFORE UPDATE ON attempt BEGIN SELECT RAISE(ABORT, 'append_only: attempt'); END;
CREATE TRIGGER attempt_no_delete BEFORE DELETE ON attempt BEGIN SELECT RAISE(ABORT, 'append_only: attempt'); END;
CREATE TRIGGER attempt_event_no_update BEFORE UPDATE ON attempt_event BEGIN SELECT RAISE(ABORT, 'append_only: attempt_event'); END;
CREATE TRIGGER attempt_event_no_delete BEFORE DELETE ON attempt_event BEGIN SELECT RAISE(ABORT, 'append_only: attempt_event'); END;
CREATE TRIGGER intent_event_no_update BEFORE UPDATE ON intent_event BEGIN SELECT RAISE(ABORT, 'append_only: intent_event'); END;
CREATE TRIGGER intent_event_no_delete BEFORE DELETE ON intent_event BEGIN SELECT RAISE(ABORT, 'append_only: intent_event'); END;
CREATE TRIGGER evidence_no_update BEFORE UPDATE ON evidence BEGIN SELECT RAISE(ABORT, 'append_only: evidence'); END;
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'append_only: evidence'); END;
CREATE TRIGGER settlement_file_no_update BEFORE UPDATE ON settlement_file BEGIN SELECT RAISE(ABORT, 'append_only: settlement_file'); END;
CREATE TRIGGER settlement_file_no_delete BEFORE DELETE ON settlement_file BEGIN SELECT RAISE(ABORT, 'append_only: settlement_file'); END;
CREATE TRIGGER file_event_no_update BEFORE UPDATE ON file_event BEGIN SELECT RAISE(ABORT, 'append_only: file_event'); END;
CREATE TRIGGER file_event_no_delete BEFORE DELETE ON file_event BEGIN SELECT RAISE(ABORT, 'append_only: file_event'); END;
CREATE TRIGGER line_no_update BEFORE UPDATE ON line BEGIN SELECT RAISE(ABORT, 'append_only: line'); END;
CREATE TRIGGER line_no_delete BEFORE DELETE ON line BEGIN SELECT RAISE(ABORT, 'append_only: line'); END;
CREATE TRIGGER verdict_no_update BEFORE UPDATE ON verdict BEGIN SELECT RAISE(ABORT, 'append_only: verdict'); END;
CREATE TRIGGER verdict_no_delete BEFORE DELETE ON verdict BEGIN SELECT RAISE(ABORT, 'append_only: verdict'); END;
CREATE TRIGGER rejected_row_no_update BEFORE UPDATE ON rejected_row BEGIN SELECT RAISE(ABORT, 'append_only: rejected_row'); END;
CREATE TRIGGER rejected_row_no_delete BEFORE DELETE ON rejected_row BEGIN SELECT RAISE(ABORT, 'append_only: rejected_row'); END;
CREATE TRIGGER review_case_no_update BEFORE UPDATE ON review_case BEGIN SELECT RAISE(ABORT, 'append_only: review_case'); END;
CREATE TRIGGER review_case_no_delete BEFORE DELETE ON review_case BEGIN SELECT RAISE(ABORT, 'append_only: review_case'); END;
CREATE TRIGGER case_event_no_update BEFORE UPDATE ON case_event BEGIN SELECT RAISE(ABORT, 'append_only: case_event'); END;
CREATE TRIGGER case_event_no_delete BEFORE DELETE ON case_event BEGIN SELECT RAISE(ABORT, 'append_only: case_event'); END;
CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision BEGIN SELECT RAISE(ABORT, 'append_only: decision'); END;
CREATE TRIGGER decision_no_delete BEFORE DELETE ON decision BEGIN SELECT RAISE(ABORT, 'append_only: decision'); END;
CREATE TRIGGER approval_no_update BEFORE UPDATE ON approval BEGIN SELECT RAISE(ABORT, 'append_only: approval'); END;
CREATE TRIGGER approval_no_delete BEFORE DELETE ON approval BEGIN SELECT RAISE(ABORT, 'append_only: approval'); END;
CREATE TRIGGER ledger_entry_no_update BEFORE UPDATE ON ledger_entry BEGIN SELECT RAISE(ABORT, 'append_only: ledger_entry'); END;
CREATE TRIGGER ledger_entry_no_delete BEFORE DELETE ON ledger_entry BEGIN SELECT RAISE(ABORT, 'append_only: ledger_entry'); END;
CREATE TRIGGER posting_no_update BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'append_only: posting'); END;
CREATE TRIGGER posting_no_delete BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'append_only: posting'); END;
CREATE TRIGGER leaf_batch_no_update BEFORE UPDATE ON leaf_batch BEGIN SELECT RAISE(ABORT, 'append_only: leaf_batch'); END;
CREATE TRIGGER leaf_batch_no_delete BEFORE DELETE ON leaf_batch BEGIN SELECT RAISE(ABORT, 'append_only: leaf_batch'); END;
CREATE TRIGGER block_no_update BEFORE UPDATE ON block BEGIN SELECT RAISE(ABORT, 'append_only: block'); END;
CREATE TRIGGER block_no_delete BEFORE DELETE ON block BEGIN SELECT RAISE(ABORT, 'append_only: block'); END;
CREATE TRIGGER block_batch_no_update BEFORE UPDATE ON block_batch BEGIN SELECT RAISE(ABORT, 'append_only: block_batch'); END;
CREATE TRIGGER block_batch_no_delete BEFORE DELETE ON block_batch BEGIN SELECT RAISE(ABORT, 'append_only: block_batch'); END;

-- An entry comes after its postings and is refused unless they sum to zero in every currency.
CREATE TRIGGER ledger_entry_balances BEFORE INSERT ON ledger_entry BEGIN
    SELECT RAISE(ABORT, 'unbalanced_entry')
    WHERE NOT EXISTS (SELECT 1 FROM posting WHERE entry_id = NEW.id)
        OR EXISTS (
            SELECT 1 FROM posting WHERE entry_id = NEW.id GROUP BY currency HAVING SUM(amount) <> 0
        );
END;
CREATE TRIGGER posting_before_its_entry BEFORE INSERT ON posting BEGIN
    SELECT RAISE(ABORT, 'entry_is_closed')
    WHERE EXISTS (SELECT 1 FROM ledger_entry WHERE id = NEW.entry_id);
END;
