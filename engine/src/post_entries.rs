//! Post entries to the ledger: written, balanced and sealed together. What belongs to a closed period
//! is booked under the first open day and names its own.

use crate::{
    Error,
    seal::Leaves,
    storage::{
        Tx, accounts,
        entries::{self, NewEntry},
        stored,
    },
};
use domain::{
    account::ProviderAccount,
    seal::{Posting, Text, records::LedgerEntryRecord},
    time::{Day, Instant},
};
use std::borrow::Cow;

/// The field of an entry's detail that names the closed day it belongs to.
pub(crate) const CLOSED_DAY: &str = "closed_day";

/// Writes entries in their order and returns the number of the first; those without postings must
/// have been left out by the caller.
pub async fn post_entries(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posted_at: Instant,
    new: &[NewEntry],
) -> Result<i64, Error> {
    // Read here, not by the caller: a period may have been closed while a long file was on its way.
    let known = accounts::all(&mut *tx).await?;
    let new: Vec<Cow<'_, NewEntry>> = new
        .iter()
        .map(|entry| in_open_period(entry, known.get(&entry.account_id)))
        .collect::<Result<_, _>>()?;
    let first = entries::insert(tx, &new, posted_at.micros()).await?;
    for (id, entry) in (first..).zip(&new) {
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
                provider: known.get(&entry.account_id).map_or("", |a| a.name.as_str()),
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

fn in_open_period<'e>(
    entry: &'e NewEntry,
    account: Option<&ProviderAccount>,
) -> Result<Cow<'e, NewEntry>, Error> {
    let own = Day::from_number(entry.accounting_day);
    let Some((own, open)) = own
        .zip(account)
        .map(|(day, account)| (day, account.policy.open_day(day)))
        .filter(|(own, open)| own != open)
    else {
        return Ok(Cow::Borrowed(entry));
    };
    let mut detail: serde_json::Map<String, serde_json::Value> =
        stored::json("ledger_entry", "detail", &entry.cause, &entry.detail)?;
    detail.insert(CLOSED_DAY.to_owned(), own.to_string().into());
    Ok(Cow::Owned(NewEntry {
        accounting_day: open.number(),
        detail: stored::to_json(&detail)?,
        ..entry.clone()
    }))
}
