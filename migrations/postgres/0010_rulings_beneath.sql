-- A ruling that gives way to a later one about the same subject waits beneath it: when the later one
-- is taken back, it stands again.
ALTER TABLE ruling_now ADD COLUMN beneath TEXT COLLATE "C" NOT NULL DEFAULT '[]'; -- JSON, the latest first
