SELECT page.currency, COUNT(*) AS line_count,
    CAST(SUM(page.gross / 1000000000) AS BIGINT) AS gross_high, CAST(SUM(page.gross % 1000000000) AS BIGINT) AS gross_low,
    CAST(SUM(page.fee / 1000000000) AS BIGINT) AS fee_high, CAST(SUM(page.fee % 1000000000) AS BIGINT) AS fee_low,
    CAST(SUM(page.net / 1000000000) AS BIGINT) AS net_high, CAST(SUM(page.net % 1000000000) AS BIGINT) AS net_low
FROM (
    SELECT l.id, l.kind, l.row_id, l.provider_payment_id, l.modification_id, l.merchant_reference, l.currency,
        l.gross, l.fee, l.net
    FROM line l
    WHERE l.file_id = $1
    ORDER BY l.line_no
    LIMIT 20001
) page
LEFT JOIN line_now n ON n.line_id = page.id
WHERE ($2 = '' OR COALESCE(n.verdict, 'PENDING') = $2)
    AND ($3 = '' OR page.kind = $3)
    AND ($4 = '' OR page.row_id = $4 OR page.provider_payment_id = $4 OR page.modification_id = $4
        OR page.merchant_reference = $4)
GROUP BY page.currency
ORDER BY page.currency
