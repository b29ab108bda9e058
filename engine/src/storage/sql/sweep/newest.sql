SELECT COALESCE((SELECT MAX(id) FROM settlement_file), 0) AS newest_file,
    COALESCE((SELECT MAX(id) FROM payments_import), 0) AS newest_import,
    (SELECT COUNT(*) FROM file_now WHERE state = 'USED') AS used_files
