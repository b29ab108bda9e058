//! The ledger: trial balance, accounts and entries.

use super::{Amount, FieldProblem};
use crate::time::{Day, Instant};
use serde::{Deserialize, Serialize};

/// What the URL of the trial balance asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BalanceFilter {
    /// As of the end of this day, `YYYY-MM-DD`; empty for now.
    pub as_of: String,
    /// Provider account by name.
    pub provider: String,
}

/// The trial balance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerPage {
    /// The filter as understood.
    pub filter: BalanceFilter,
    /// What was wrong with it.
    pub problems: Vec<FieldProblem>,
    /// Provider accounts, for the filter.
    pub providers: Vec<String>,
    /// One block per provider account and currency.
    pub blocks: Vec<TrialBlock>,
    /// Files whose posting is under way: figures are not final.
    pub loading_files: u64,
}

/// The accounts of one provider account in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialBlock {
    /// Provider account by name.
    pub provider: String,
    /// One row per ledger account.
    pub rows: Vec<TrialRow>,
    /// Sum of debits.
    pub debit: Amount,
    /// Sum of credits; equal to `debit`.
    pub credit: Amount,
}

/// One ledger account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialRow {
    /// The account: `provider_clearing`.
    pub ledger_account: String,
    /// Sum of debits, not negative.
    pub debit: Amount,
    /// Sum of credits, not negative.
    pub credit: Amount,
    /// Debits less credits.
    pub balance: Amount,
    /// What its balance consists of, for accounts that list open items.
    pub open_items: Option<OpenItems>,
}

/// The open items behind a balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenItems {
    /// How many.
    pub count: u64,
    /// Their sum.
    pub sum: Amount,
    /// Whether that is the balance.
    pub ties: bool,
}

/// What the URL of the entries asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EntryFilter {
    /// Ledger account, or empty.
    pub ledger_account: String,
    /// Provider account by name.
    pub provider: String,
    /// Currency code.
    pub currency: String,
    /// First accounting day, `YYYY-MM-DD`.
    pub from: String,
    /// Last accounting day, `YYYY-MM-DD`.
    pub to: String,
    /// Opaque cursor.
    pub after: String,
}

impl EntryFilter {
    /// Name and value of every field that asks for something, the cursor left out.
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        [
            ("ledger_account", self.ledger_account.as_str()),
            ("provider", &self.provider),
            ("currency", &self.currency),
            ("from", &self.from),
            ("to", &self.to),
        ]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .collect()
    }
}

/// The entries page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntriesPage {
    /// The filter as understood.
    pub filter: EntryFilter,
    /// What was wrong with it.
    pub problems: Vec<FieldProblem>,
    /// Provider accounts, for the filter.
    pub providers: Vec<String>,
    /// This page of entries, newest first.
    pub rows: Vec<EntryRow>,
    /// Entries under the whole filter.
    pub total: u64,
    /// Sums over the whole filter, one per currency.
    pub totals: Vec<DebitCredit>,
    /// Cursor of the next page.
    pub next: Option<String>,
}

/// One entry in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryRow {
    /// Its number.
    pub no: i64,
    /// Provider account by name.
    pub provider: String,
    /// The day it is booked under.
    pub accounting_day: Day,
    /// When it was posted.
    pub posted_at: Instant,
    /// What caused it, in words: `lines 2–1,001 of po_1Q.csv`.
    pub cause: String,
    /// `lines`, `move`, `decision`, `reversal`.
    pub cause_kind: String,
    /// Ledger accounts that it debits and credits.
    pub postings: Vec<PostingView>,
}

/// One posting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostingView {
    /// The account.
    pub ledger_account: String,
    /// Debit positive, credit negative.
    pub amount: Amount,
}

/// Sums of debits and credits in one currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DebitCredit {
    /// Sum of debits.
    pub debit: Amount,
    /// Sum of credits, not negative.
    pub credit: Amount,
}

/// What the URL of one ledger account asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AccountFilter {
    /// Provider account by name.
    pub provider: String,
    /// Currency code.
    pub currency: String,
    /// As of the end of this day; empty for now.
    pub as_of: String,
    /// Opaque cursor.
    pub after: String,
}

/// One ledger account of one provider account in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountPage {
    /// The ledger account.
    pub ledger_account: String,
    /// The filter as understood.
    pub filter: AccountFilter,
    /// Its sums.
    pub row: TrialRow,
    /// Balance by accounting day, newest first.
    pub days: Vec<AccountDay>,
    /// This page of movements, newest first.
    pub movements: Vec<Movement>,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// The open items behind the balance, oldest first, at most a hundred.
    pub open_items: Vec<OpenItem>,
}

/// One accounting day of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountDay {
    /// The day.
    pub day: Day,
    /// Sum of debits.
    pub debit: Amount,
    /// Sum of credits, not negative.
    pub credit: Amount,
    /// Balance at the end of the day.
    pub balance: Amount,
}

/// One posting on an account, with its entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Movement {
    /// The entry's number.
    pub entry_no: i64,
    /// The day it is booked under.
    pub accounting_day: Day,
    /// What caused it, in words.
    pub cause: String,
    /// Debit positive, credit negative.
    pub amount: Amount,
}

/// One item that a balance consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenItem {
    /// What it is, in words.
    pub label: String,
    /// Since when.
    pub day: Day,
    /// Its amount.
    pub amount: Amount,
    /// Where it leads.
    pub href: String,
}
