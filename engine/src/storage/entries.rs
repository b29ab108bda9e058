//! Ledger entries as written. An entry stands complete or not at all: its postings come first, and
//! the database refuses the entry unless they balance.

use super::{
    Rows, StorageError,
    counter::allocate,
    statement::ColumnType::{self, Int, Text},
    tx::Tx,
};
use crate::statements;
use domain::posting::Posting;
use std::collections::BTreeMap;

statements! {
    @rows
    ADD_BALANCES(account_id: Int, ledger_account: Text, currency: Text, accounting_day: Int, debit: Int, credit: Int)
        = "ledger/add_balances.sql";
}

const ENTRY: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("account_id", Int),
    ("accounting_day", Int),
    ("posted_at", Int),
    ("batch_id", Int),
    ("cause_kind", Text),
    ("cause", Text),
    ("detail", Text),
];

const POSTING: &[(&str, ColumnType)] = &[
    ("entry_id", Int),
    ("number", Int),
    ("ledger_account", Text),
    ("currency", Text),
    ("amount", Int),
];

/// An entry to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// The provider account.
    pub account_id: i64,
    /// Days since 1970.
    pub accounting_day: i64,
    /// Our key of the batch, 0 for none.
    pub batch_id: i64,
    /// The provider's batch id, or empty.
    pub batch: String,
    /// lines, move, decision, reversal.
    pub cause_kind: &'static str,
    /// Natural id of the cause.
    pub cause: String,
    /// JSON.
    pub detail: String,
    /// Never empty, balanced in every currency.
    pub postings: Vec<Posting>,
}

/// Writes entries and their effect on balances; returns the number of the first.
pub async fn insert(
    tx: &mut Tx,
    entries: &[impl std::borrow::Borrow<NewEntry>],
    posted_at: i64,
) -> Result<i64, StorageError> {
    let first = allocate(&mut *tx, "ledger_entry", entries.len() as u64).await?;
    let mut postings = Rows::new("posting", POSTING);
    let mut rows = Rows::new("ledger_entry", ENTRY);
    let mut balances: BTreeMap<(i64, &str, &str, i64), (i64, i64)> = BTreeMap::new();
    for (id, entry) in (first..).zip(entries.iter().map(std::borrow::Borrow::borrow)) {
        let entry: &NewEntry = entry;
        for (number, posting) in (1..).zip(&entry.postings) {
            let currency = posting.currency.as_str();
            postings
                .add()
                .int(id)
                .int(number)
                .text(posting.account.code())
                .text(currency)
                .int(posting.amount);
            let sums = balances
                .entry((
                    entry.account_id,
                    posting.account.code(),
                    currency,
                    entry.accounting_day,
                ))
                .or_default();
            let side = if posting.amount > 0 {
                &mut sums.0
            } else {
                &mut sums.1
            };
            *side = side
                .checked_add(posting.amount.saturating_abs())
                .ok_or_else(|| StorageError::Misuse {
                    statement: "posting",
                    problem: "the sums of a balance do not fit into 64 bits".to_owned(),
                })?;
        }
        rows.add()
            .int(id)
            .int(entry.account_id)
            .int(entry.accounting_day)
            .int(posted_at)
            .int(entry.batch_id)
            .text(entry.cause_kind)
            .text(&entry.cause)
            .text(&entry.detail);
    }
    postings.insert_into(tx, "posting").await?;
    rows.insert_into(tx, "ledger_entry").await?;
    let mut sums = Rows::of(&ADD_BALANCES);
    for ((account, ledger_account, currency, day), (debit, credit)) in balances {
        sums.add()
            .int(account)
            .text(ledger_account)
            .text(currency)
            .int(day)
            .int(debit)
            .int(credit);
    }
    sums.exec_each(tx, &ADD_BALANCES).await?;
    Ok(first)
}
