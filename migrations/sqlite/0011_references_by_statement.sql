-- A provider account, once there, stays: what names it is checked by statement on PostgreSQL.
CREATE TRIGGER provider_account_no_delete BEFORE DELETE ON provider_account BEGIN SELECT RAISE(ABORT, 'append_only: provider_account'); END;
CREATE TRIGGER provider_account_no_other_key BEFORE UPDATE OF id ON provider_account BEGIN SELECT RAISE(ABORT, 'append_only: provider_account'); END;
