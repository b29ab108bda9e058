-- PostgreSQL asks for the parent of each row in a query of its own and locks it: half of the time of
-- a bulk insert. Here the rows of a whole statement are asked for at once. That is as good where a
-- parent, once there, never goes and never changes its key: histories refuse that (0002), and so
-- does provider_account from here on.
CREATE FUNCTION check_reference() RETURNS trigger LANGUAGE plpgsql
-- Each parent is looked up by its key, whatever the planner knows of tables that are being filled.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
    low BIGINT;
    high BIGINT;
    rows BIGINT;
    there BIGINT;
    missing BIGINT;
BEGIN
    EXECUTE format('SELECT MIN(%1$I), MAX(%1$I), COUNT(%1$I) FROM added', TG_ARGV[0]) INTO low, high, rows;
    IF rows = 0 THEN
        RETURN NULL;
    END IF;
    -- Neighbours come together: where all keys of their range are there, so is each of theirs.
    IF high - low < 2 * rows THEN
        EXECUTE format('SELECT COUNT(*) FROM %I WHERE id BETWEEN $1 AND $2', TG_ARGV[1]) INTO there USING low, high;
        IF there = high - low + 1 THEN
            RETURN NULL;
        END IF;
    END IF;
    EXECUTE format(
        'SELECT MIN(a.%1$I) FROM added a WHERE NOT EXISTS (SELECT 1 FROM %2$I p WHERE p.id = a.%1$I)',
        TG_ARGV[0], TG_ARGV[1]
    ) INTO missing;
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION '% % of % is not there', TG_ARGV[1], missing, TG_TABLE_NAME
            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER provider_account_no_delete BEFORE DELETE ON provider_account FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_account_no_other_key BEFORE UPDATE OF id ON provider_account FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_account_no_truncate BEFORE TRUNCATE ON provider_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE attempt DROP CONSTRAINT attempt_intent_id_fkey, DROP CONSTRAINT attempt_account_id_fkey;
CREATE TRIGGER attempt_intent_id_reference AFTER INSERT ON attempt REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('intent_id', 'intent');
CREATE TRIGGER attempt_account_id_reference AFTER INSERT ON attempt REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('account_id', 'provider_account');

ALTER TABLE line DROP CONSTRAINT line_file_id_fkey;
CREATE TRIGGER line_file_id_reference AFTER INSERT ON line REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('file_id', 'settlement_file');

ALTER TABLE verdict DROP CONSTRAINT verdict_line_id_fkey;
CREATE TRIGGER verdict_line_id_reference AFTER INSERT ON verdict REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('line_id', 'line');

-- Rows of current tables may change, but not what they are about.
ALTER TABLE intent_key_now DROP CONSTRAINT intent_key_now_intent_id_fkey;
CREATE TRIGGER intent_key_now_intent_id_reference AFTER INSERT ON intent_key_now REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('intent_id', 'intent');
CREATE TRIGGER intent_key_now_intent_id_stays BEFORE UPDATE OF intent_id ON intent_key_now
    FOR EACH ROW WHEN (OLD.intent_id IS DISTINCT FROM NEW.intent_id) EXECUTE FUNCTION refuse_change();

ALTER TABLE intent_open DROP CONSTRAINT intent_open_intent_id_fkey;
CREATE TRIGGER intent_open_intent_id_reference AFTER INSERT ON intent_open REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('intent_id', 'intent');
CREATE TRIGGER intent_open_intent_id_stays BEFORE UPDATE OF intent_id ON intent_open
    FOR EACH ROW WHEN (OLD.intent_id IS DISTINCT FROM NEW.intent_id) EXECUTE FUNCTION refuse_change();

ALTER TABLE line_now DROP CONSTRAINT line_now_line_id_fkey;
CREATE TRIGGER line_now_line_id_reference AFTER INSERT ON line_now REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('line_id', 'line');
CREATE TRIGGER line_now_line_id_stays BEFORE UPDATE OF line_id ON line_now
    FOR EACH ROW WHEN (OLD.line_id IS DISTINCT FROM NEW.line_id) EXECUTE FUNCTION refuse_change();

ALTER TABLE line_key_now DROP CONSTRAINT line_key_now_line_id_fkey;
CREATE TRIGGER line_key_now_line_id_reference AFTER INSERT ON line_key_now REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('line_id', 'line');
CREATE TRIGGER line_key_now_line_id_stays BEFORE UPDATE OF line_id ON line_key_now
    FOR EACH ROW WHEN (OLD.line_id IS DISTINCT FROM NEW.line_id) EXECUTE FUNCTION refuse_change();

ALTER TABLE line_bucket_now DROP CONSTRAINT line_bucket_now_line_id_fkey;
CREATE TRIGGER line_bucket_now_line_id_reference AFTER INSERT ON line_bucket_now REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION check_reference('line_id', 'line');
CREATE TRIGGER line_bucket_now_line_id_stays BEFORE UPDATE OF line_id ON line_bucket_now
    FOR EACH ROW WHEN (OLD.line_id IS DISTINCT FROM NEW.line_id) EXECUTE FUNCTION refuse_change();
