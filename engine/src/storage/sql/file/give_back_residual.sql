-- With nothing accepted any more, rows that were acknowledged are asked about again.
UPDATE batch_now SET adjusted = NULLIF(COALESCE(adjusted, 0) - $3, 0)
WHERE batch_id = $1 AND currency = $2
