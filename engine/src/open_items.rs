//! The open items of ledger accounts whose balance is the sum of a list: what waits in suspense, is held
//! back, paid out and not seen at the bank, or carried forward. All of them are lines.

use crate::{
    Error,
    storage::{
        books::{self, Item, Items},
        stored,
        tx::Connected,
    },
};
use domain::posting::{LedgerAccount, Posting};
use std::collections::BTreeMap;

/// Ledger accounts whose balance is the sum of open items.
pub(crate) const LISTED: [LedgerAccount; 4] = [
    LedgerAccount::Suspense,
    LedgerAccount::ProviderReserve,
    LedgerAccount::PayoutsInTransit,
    LedgerAccount::CarriedForward,
];

/// Items of an account that a page lists.
const SHOWN: usize = 100;

/// How many items there are, and what they come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ItemSum {
    pub count: i64,
    pub amount: i128,
}

/// Sums by provider account, ledger account and currency.
pub(crate) type ItemSums = BTreeMap<(i64, String, String), ItemSum>;

/// What of a verdict's detail concerns the ledger.
#[derive(serde::Deserialize)]
struct Parts {
    #[serde(default)]
    parts: Vec<Posting>,
}

/// Open items of provider accounts, by ledger account and currency.
pub(crate) async fn sums(
    mut tx: impl Connected,
    accounts: impl Iterator<Item = i64>,
) -> Result<ItemSums, Error> {
    let mut sums = ItemSums::new();
    for Items {
        account_id,
        ledger_account,
        currency,
        item_count,
        amount,
    } in books::items(&mut tx).await?
    {
        sums.insert(
            (account_id, ledger_account, currency),
            ItemSum {
                count: item_count,
                amount: i128::from(amount),
            },
        );
    }
    for account in accounts {
        let mut after = i64::MIN;
        loop {
            let lines = books::split_lines(&mut tx, account, after).await?;
            let Some(last) = lines.last() else { break };
            after = last.line_id;
            for line in lines {
                let detail: Parts = stored::json("verdict", "detail", line.line_id, &line.detail)?;
                for part in detail.parts.iter().filter(|p| LISTED.contains(&p.account)) {
                    let key = (
                        line.account_id,
                        part.account.code().to_owned(),
                        part.currency.to_string(),
                    );
                    let sum = sums.entry(key).or_default();
                    sum.count += 1;
                    sum.amount += i128::from(part.amount);
                }
            }
        }
    }
    Ok(sums)
}

/// One open item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenLine {
    pub item: Item,
    /// Whether it is only what the row's net is off by.
    pub is_difference: bool,
}

/// The first open items of one ledger account, in order of arrival.
pub(crate) async fn of_account(
    mut tx: impl Connected,
    account: i64,
    ledger_account: LedgerAccount,
    currency: &str,
) -> Result<Vec<OpenLine>, Error> {
    let whole = books::items_of_account(&mut tx, account, ledger_account.code(), currency).await?;
    let mut items: Vec<OpenLine> = whole
        .into_iter()
        .map(|item| OpenLine {
            item,
            is_difference: false,
        })
        .collect();
    let (mut after, mut found) = (i64::MIN, 0);
    while found < SHOWN {
        let lines = books::split_items_of_account(&mut tx, account, after).await?;
        let Some(last) = lines.last() else { break };
        after = last.id;
        for line in lines {
            let detail: Parts = stored::json("verdict", "detail", line.id, &line.detail)?;
            let part = detail
                .parts
                .iter()
                .find(|p| p.account == ledger_account && p.currency.as_str() == currency);
            if let Some(part) = part {
                found += 1;
                items.push(OpenLine {
                    is_difference: line.off_by != 0
                        && Some(part.amount) == line.off_by.checked_neg(),
                    item: line.item(part.amount),
                });
            }
        }
    }
    items.sort_by_key(|i| i.item.id);
    items.truncate(SHOWN);
    Ok(items)
}
