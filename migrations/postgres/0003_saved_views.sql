-- Filters of the review queue that a person keeps by name: theirs alone, and no record of anything.
CREATE TABLE saved_view (
    id BIGINT NOT NULL PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES user_account (id),
    name TEXT COLLATE "C" NOT NULL,
    filter TEXT COLLATE "C" NOT NULL, -- JSON
    saved_at BIGINT NOT NULL,
    UNIQUE (user_id, name)
);
