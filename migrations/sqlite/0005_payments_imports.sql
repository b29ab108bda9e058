-- Where attempts of payments files came from, so that a page can name file and line. No record of
-- anything: what an attempt says is its own row.
CREATE TABLE payments_import (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL, -- of the file, or empty where it had none
    received_at INTEGER NOT NULL,
    received_by TEXT NOT NULL
) STRICT;

-- Attempts that were written together have consecutive keys.
CREATE TABLE payments_import_part (
    first_attempt INTEGER NOT NULL PRIMARY KEY,
    last_attempt INTEGER NOT NULL,
    import_id INTEGER NOT NULL REFERENCES payments_import (id),
    lines TEXT NOT NULL -- physical lines of the attempts, runs as <first line>+<length>, comma separated
) STRICT;
