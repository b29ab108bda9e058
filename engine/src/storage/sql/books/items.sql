SELECT n.account_id, n.contra AS ledger_account, n.contra_currency AS currency, COUNT(*) AS item_count,
    CAST(SUM(n.contra_amount) AS BIGINT) AS amount
FROM line_now n
WHERE n.contra IN ('suspense', 'provider_reserve', 'payouts_in_transit', 'carried_forward', 'split')
    AND n.contra <> 'split'
GROUP BY n.account_id, n.contra, n.contra_currency
