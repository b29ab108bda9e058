INSERT INTO counter (name, next)
VALUES ($1, 1 + $2)
ON CONFLICT (name) DO UPDATE SET next = counter.next + $2
RETURNING next
