-- What a row says, as engine::ingest::rows::prepare hashes it.
SELECT l.line_no
FROM line l
JOIN row_identity_now r ON r.account_id = $1 AND r.identity = l.identity
JOIN line o ON o.id = r.line_id
WHERE l.file_id = $2 AND o.file_id <> l.file_id
    AND (
        l.kind <> o.kind OR l.provider_payment_id <> o.provider_payment_id OR l.modification_id <> o.modification_id
        OR l.merchant_reference <> o.merchant_reference OR l.currency <> o.currency
        OR l.presented_currency <> o.presented_currency OR l.batch_id <> o.batch_id OR l.gross <> o.gross
        OR l.fee <> o.fee OR l.net <> o.net OR l.presented_amount <> o.presented_amount
    )
ORDER BY l.line_no
LIMIT $3
