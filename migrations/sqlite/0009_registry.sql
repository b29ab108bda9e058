-- Answers of the registry, under the key by which they were asked: the same question again is no
-- second deed. Nothing ever removes one: a provider may repeat a call long after.
CREATE TABLE registry_answer (
    kind TEXT NOT NULL, -- intent, claim, report
    key TEXT NOT NULL,
    input_hash BLOB NOT NULL, -- SHA-256 of what was asked
    answer TEXT NOT NULL,     -- JSON
    at INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

-- The company's own notes on an intent.
CREATE TABLE intent_metadata (
    intent_id INTEGER NOT NULL PRIMARY KEY REFERENCES intent (id),
    metadata TEXT NOT NULL -- JSON: names and texts
) STRICT;

CREATE TRIGGER registry_answer_no_update BEFORE UPDATE ON registry_answer BEGIN SELECT RAISE(ABORT, 'append_only: registry_answer'); END;
CREATE TRIGGER registry_answer_no_delete BEFORE DELETE ON registry_answer BEGIN SELECT RAISE(ABORT, 'append_only: registry_answer'); END;
CREATE TRIGGER intent_metadata_no_update BEFORE UPDATE ON intent_metadata BEGIN SELECT RAISE(ABORT, 'append_only: intent_metadata'); END;
CREATE TRIGGER intent_metadata_no_delete BEFORE DELETE ON intent_metadata BEGIN SELECT RAISE(ABORT, 'append_only: intent_metadata'); END;
