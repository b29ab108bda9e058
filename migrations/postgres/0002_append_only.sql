-- Histories are only ever added to.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'append_only: %', TG_TABLE_NAME USING ERRCODE = 'TO001';
END $$;
CREATE TRIGGER user_event_no_change BEFORE UPDATE OR DELETE ON user_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER user_event_no_truncate BEFORE TRUNCATE ON user_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_record_no_change BEFORE UPDATE OR DELETE ON audit_record FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_record_no_truncate BEFORE TRUNCATE ON audit_record FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_policy_no_change BEFORE UPDATE OR DELETE ON provider_policy FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_policy_no_truncate BEFORE TRUNCATE ON provider_policy FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER intent_no_change BEFORE UPDATE OR DELETE ON intent FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER intent_no_truncate BEFORE TRUNCATE ON intent FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER attempt_no_change BEFORE UPDATE OR DELETE ON attempt FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER attempt_no_truncate BEFORE TRUNCATE ON attempt FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER attempt_event_no_change BEFORE UPDATE OR DELETE ON attempt_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER attempt_event_no_truncate BEFORE TRUNCATE ON attempt_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER intent_event_no_change BEFORE UPDATE OR DELETE ON intent_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER intent_event_no_truncate BEFORE TRUNCATE ON intent_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_no_change BEFORE UPDATE OR DELETE ON evidence FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_no_truncate BEFORE TRUNCATE ON evidence FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER settlement_file_no_change BEFORE UPDATE OR DELETE ON settlement_file FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER settlement_file_no_truncate BEFORE TRUNCATE ON settlement_file FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER file_event_no_change BEFORE UPDATE OR DELETE ON file_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER file_event_no_truncate BEFORE TRUNCATE ON file_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER line_no_change BEFORE UPDATE OR DELETE ON line FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER line_no_truncate BEFORE TRUNCATE ON line FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER verdict_no_change BEFORE UPDATE OR DELETE ON verdict FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER verdict_no_truncate BEFORE TRUNCATE ON verdict FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER rejected_row_no_change BEFORE UPDATE OR DELETE ON rejected_row FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER rejected_row_no_truncate BEFORE TRUNCATE ON rejected_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER review_case_no_change BEFORE UPDATE OR DELETE ON review_case FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER review_case_no_truncate BEFORE TRUNCATE ON review_case FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER case_event_no_change BEFORE UPDATE OR DELETE ON case_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER case_event_no_truncate BEFORE TRUNCATE ON case_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_no_change BEFORE UPDATE OR DELETE ON decision FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decision_no_truncate BEFORE TRUNCATE ON decision FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_no_change BEFORE UPDATE OR DELETE ON approval FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approval_no_truncate BEFORE TRUNCATE ON approval FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_no_change BEFORE UPDATE OR DELETE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_no_change BEFORE UPDATE OR DELETE ON posting FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_no_truncate BEFORE TRUNCATE ON posting FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER leaf_batch_no_change BEFORE UPDATE OR DELETE ON leaf_batch FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER leaf_batch_no_truncate BEFORE TRUNCATE ON leaf_batch FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER block_no_change BEFORE UPDATE OR DELETE ON block FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER block_no_truncate BEFORE TRUNCATE ON block FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER block_batch_no_change BEFORE UPDATE OR DELETE ON block_batch FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER block_batch_no_truncate BEFORE TRUNCATE ON block_batch FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- An entry comes after its postings and is refused unless they sum to zero in every currency.
CREATE FUNCTION check_entry_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM posting WHERE entry_id = NEW.id)
        OR EXISTS (SELECT 1 FROM posting WHERE entry_id = NEW.id GROUP BY currency HAVING SUM(amount) <> 0)
    THEN
        RAISE EXCEPTION 'unbalanced_entry' USING ERRCODE = 'TO002';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_entry_balances BEFORE INSERT ON ledger_entry
    FOR EACH ROW EXECUTE FUNCTION check_entry_balances();

CREATE FUNCTION check_entry_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM ledger_entry WHERE id = NEW.entry_id) THEN
        RAISE EXCEPTION 'entry_is_closed' USING ERRCODE = 'TO003';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER posting_before_its_entry BEFORE INSERT ON posting
    FOR EACH ROW EXECUTE FUNCTION check_entry_is_open();
