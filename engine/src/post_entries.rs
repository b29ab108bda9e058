//! Post entries to the ledger: written, balanced and sealed together.

use crate::{
    Error,
    seal::Leaves,
    storage::{
        Tx,
        entries::{self, NewEntry},
    },
};
use domain::{
    matching::Accounts,
    seal::{Posting, Text, records::LedgerEntryRecord},
    time::Instant,
};

/// Writes entries in their order and returns the number of the first; those without postings must
/// have been left out by the caller.
pub async fn post_entries(
    tx: &mut Tx,
    leaves: &mut Leaves,
    accounts: &Accounts,
    posted_at: Instant,
    new: &[NewEntry],
) -> Result<i64, Error> {
    let first = entries::insert(tx, new, posted_at.micros()).await?;
    for (id, entry) in (first..).zip(new) {
        let postings: Vec<Posting<'_>> = entry
            .postings
            .iter()
            .map(|p| Posting {
                account: p.account.code(),
                currency: p.currency.as_str(),
                amount: p.amount,
            })
            .collect();
        leaves.push(
            id,
            &LedgerEntryRecord {
                provider: accounts
                    .get(&entry.account_id)
                    .map_or("", |a| a.name.as_str()),
                accounting_day: entry.accounting_day,
                batch: &entry.batch,
                cause_kind: entry.cause_kind,
                cause: &entry.cause,
                detail: Text::Plain(&entry.detail),
                postings: &postings,
            },
        );
    }
    Ok(first)
}
