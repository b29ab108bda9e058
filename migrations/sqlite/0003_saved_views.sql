-- Filters of the review queue that a person keeps by name: theirs alone, and no record of anything.
CREATE TABLE saved_view (
    id INTEGER NOT NULL PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES user_account (id),
    name TEXT NOT NULL,
    filter TEXT NOT NULL, -- JSON
    saved_at INTEGER NOT NULL,
    UNIQUE (user_id, name)
) STRICT;
