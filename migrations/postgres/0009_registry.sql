-- Answers of the registry, under the key by which they were asked: the same question again is no
-- second deed. Nothing ever removes one: a provider may repeat a call long after.
CREATE TABLE registry_answer (
    kind TEXT COLLATE "C" NOT NULL, -- intent, claim, report
    key TEXT COLLATE "C" NOT NULL,
    input_hash BYTEA NOT NULL, -- SHA-256 of what was asked
    answer TEXT COLLATE "C" NOT NULL,     -- JSON
    at BIGINT NOT NULL,
    PRIMARY KEY (kind, key)
);

-- The company's own notes on an intent.
CREATE TABLE intent_metadata (
    intent_id BIGINT NOT NULL PRIMARY KEY REFERENCES intent (id),
    metadata TEXT COLLATE "C" NOT NULL -- JSON: names and texts
);

CREATE TRIGGER registry_answer_no_change BEFORE UPDATE OR DELETE ON registry_answer FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER registry_answer_no_truncate BEFORE TRUNCATE ON registry_answer FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER intent_metadata_no_change BEFORE UPDATE OR DELETE ON intent_metadata FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER intent_metadata_no_truncate BEFORE TRUNCATE ON intent_metadata FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
