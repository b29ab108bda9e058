SELECT b.id, b.record, b.first_id, b.last_id, b.part, b.refs, b.leaf_count, b.leaves,
    bb.block_number, bb.position
FROM leaf_batch AS b
JOIN block_batch AS bb ON bb.leaf_batch_id = b.id
WHERE b.record = 'ledger_entry' AND b.first_id <= $2 AND b.last_id >= $1
    AND b.first_id >= $3
