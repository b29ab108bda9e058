INSERT INTO setting (name, value) VALUES ('instance_secret', $1) ON CONFLICT (name) DO NOTHING
