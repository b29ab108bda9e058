SELECT COUNT(*) FROM row_identity_now
