-- The days that a file covers, as JSON [[first, last], …], where its rows lie too far apart to cover
-- first_day to last_day; empty where it covers those.
ALTER TABLE file_now ADD COLUMN covered_spans TEXT COLLATE "C" NOT NULL DEFAULT '';

-- How many steps people raised a case's severity above what its money and age make of it.
ALTER TABLE case_now ADD COLUMN escalated BIGINT NOT NULL DEFAULT 0;
