-- Where attempts of payments files came from, so that a page can name file and line. No record of
-- anything: what an attempt says is its own row.
CREATE TABLE payments_import (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL, -- of the file, or empty where it had none
    received_at BIGINT NOT NULL,
    received_by TEXT COLLATE "C" NOT NULL
);

-- Attempts that were written together have consecutive keys.
CREATE TABLE payments_import_part (
    first_attempt BIGINT NOT NULL PRIMARY KEY,
    last_attempt BIGINT NOT NULL,
    import_id BIGINT NOT NULL REFERENCES payments_import (id),
    lines TEXT COLLATE "C" NOT NULL -- physical lines of the attempts, runs as <first line>+<length>, comma separated
);
