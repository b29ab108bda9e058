SELECT page.id
FROM (
    SELECT l.id, l.line_no, l.kind, l.row_id, l.provider_payment_id, l.modification_id, l.merchant_reference
    FROM line l
    WHERE l.file_id = $1 AND l.line_no > $2
    ORDER BY l.line_no
    LIMIT 20000
) page
LEFT JOIN line_now n ON n.line_id = page.id
WHERE ($3 = '' OR COALESCE(n.verdict, 'PENDING') = $3)
    AND ($4 = '' OR page.kind = $4)
    AND ($5 = '' OR page.row_id = $5 OR page.provider_payment_id = $5 OR page.modification_id = $5
        OR page.merchant_reference = $5)
ORDER BY page.line_no
LIMIT 101
