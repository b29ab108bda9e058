-- When the first intent beyond the 200 oldest with the reference was created: domain::matching::MOST_SHARING.
SELECT rows.key, (
    SELECT i.created_at
    FROM intent i
    WHERE i.merchant_reference = rows.key AND i.merchant_reference <> ''
    ORDER BY i.created_at
    LIMIT 1 OFFSET 200
) AS since
FROM rows
