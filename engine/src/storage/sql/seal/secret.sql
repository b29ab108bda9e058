SELECT value FROM setting WHERE name = 'instance_secret'
