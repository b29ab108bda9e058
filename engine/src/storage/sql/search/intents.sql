SELECT found.intent_id
FROM (
    SELECT i.id AS intent_id
    FROM rows CROSS JOIN intent i
    WHERE rows.account_id = 0 AND i.public_id = rows.q
    UNION
    SELECT i.id
    FROM rows CROSS JOIN intent i
    WHERE rows.account_id = 0 AND i.merchant_reference = rows.q AND i.merchant_reference <> ''
    UNION
    SELECT k.intent_id
    FROM rows CROSS JOIN intent_key_now k
    WHERE rows.account_id = 0 AND k.key = rows.q
    UNION
    SELECT t.intent_id
    FROM rows CROSS JOIN attempt t
    WHERE rows.account_id = 0 AND t.public_id = rows.q
    UNION
    SELECT t.intent_id
    FROM rows CROSS JOIN attempt t
    WHERE t.account_id = rows.account_id AND t.provider_payment_id = rows.q AND t.provider_payment_id <> ''
    UNION
    SELECT t.intent_id
    FROM rows CROSS JOIN attempt_id_now l JOIN attempt t ON t.id = l.attempt_id
    WHERE l.account_id = rows.account_id AND l.provider_payment_id = rows.q
    UNION
    SELECT n.intent_id
    FROM rows CROSS JOIN line_key_now k JOIN line_now n ON n.line_id = k.line_id
    WHERE k.account_id = rows.account_id
        AND k.key IN ('p:' || rows.q, 'r:' || rows.q, 'm:' || rows.q)
        AND n.intent_id IS NOT NULL
) found
ORDER BY found.intent_id DESC
LIMIT 201
