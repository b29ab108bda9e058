INSERT INTO payments_import (id, name, received_at, received_by)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO NOTHING
