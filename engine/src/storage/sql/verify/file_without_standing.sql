SELECT f.public_id
FROM settlement_file AS f
WHERE NOT EXISTS (SELECT 1 FROM file_now AS n WHERE n.file_id = f.id)
    OR NOT EXISTS (SELECT 1 FROM file_event AS e WHERE e.file_id = f.id)
ORDER BY f.id
LIMIT 1
