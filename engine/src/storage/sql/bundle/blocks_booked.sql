SELECT DISTINCT bb.block_number
FROM leaf_batch AS b
JOIN block_batch AS bb ON bb.leaf_batch_id = b.id
WHERE b.record = 'ledger_entry' AND EXISTS (
    SELECT 1
    FROM ledger_entry AS e
    WHERE e.id BETWEEN b.first_id AND b.last_id AND e.accounting_day BETWEEN $1 AND $2
)
ORDER BY bb.block_number
