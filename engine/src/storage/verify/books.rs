//! Entries, balances, and the lines that they are of.

use super::KEYS_AT_ONCE;
use crate::{
    all, opt, scalar_opt, statements,
    storage::{StorageError, tx::Connected},
};

statements! {
    UNBALANCED_ENTRY(0) = "verify/unbalanced_entry.sql", may_scan "sums every posting";
    WRONG_BALANCE(0) = "verify/wrong_balance.sql", may_scan "sums every posting";
    WRONG_TRIAL_BALANCE(0) = "verify/wrong_trial_balance.sql", may_scan "sums every balance";
    LEDGER_SUMS(0) = "verify/ledger_sums.sql", may_scan "sums every posting";
    LINE_SUMS(0) = "verify/line_sums.sql", may_scan "sums every line";
    SPLIT_LINES(2) = "verify/split_lines.sql";
    UNPOSTED_LINE(0) = "verify/unposted_line.sql", may_scan "compares every verdict";
    MISCOUNTED_ENTRY(0) = "verify/miscounted_entry.sql", may_scan "counts every verdict";
}

/// A day's sums of an account as they stand and as its postings give them.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongBalance {
    /// The provider account.
    pub provider: String,
    /// The ledger account.
    pub ledger_account: String,
    /// The currency.
    pub currency: String,
    /// Days since 1970.
    pub accounting_day: i64,
    /// As it stands.
    pub debit_now: i64,
    /// As it stands.
    pub credit_now: i64,
    /// By the postings.
    pub debit: i64,
    /// By the postings.
    pub credit: i64,
}

/// Sums of the postings of an account.
#[derive(Debug, sqlx::FromRow)]
pub struct LedgerSum {
    /// The provider account's key.
    pub account_id: i64,
    /// The ledger account.
    pub ledger_account: String,
    /// The currency.
    pub currency: String,
    /// Of entries that lines caused.
    pub from_lines: i64,
    /// Of all entries.
    pub balance: i64,
}

/// Sums of the posted lines that agree in everything else.
#[derive(Debug, sqlx::FromRow)]
pub struct LineSum {
    /// The provider account's key.
    pub account_id: i64,
    /// Row kind.
    pub kind: String,
    /// Currency of gross, fee and net.
    pub currency: String,
    /// Currency that the payer saw.
    pub presented_currency: String,
    /// Where their contra side stands.
    pub contra: String,
    /// Its currency.
    pub contra_currency: String,
    /// Sum of gross.
    pub gross: i64,
    /// Sum of fees.
    pub fee: i64,
    /// Sum of net.
    pub net: i64,
    /// Sum of what payers saw.
    pub presented_amount: i64,
    /// Sum of the contra side.
    pub contra_amount: i64,
}

/// The first entry whose postings do not sum to zero: its number, currency and residual.
pub async fn unbalanced_entry(
    mut tx: impl Connected,
) -> Result<Option<(i64, String, i64)>, StorageError> {
    opt!(&mut tx, (i64, String, i64), UNBALANCED_ENTRY)
}

/// The first balance that is not what its postings give.
pub async fn wrong_balance(mut tx: impl Connected) -> Result<Option<WrongBalance>, StorageError> {
    opt!(&mut tx, WrongBalance, WRONG_BALANCE)
}

/// The first provider account and currency whose accounts do not sum to zero, with the residual.
pub async fn wrong_trial_balance(
    mut tx: impl Connected,
) -> Result<Option<(String, String, i64)>, StorageError> {
    opt!(&mut tx, (String, String, i64), WRONG_TRIAL_BALANCE)
}

/// Sums of all postings by account.
pub async fn ledger_sums(mut tx: impl Connected) -> Result<Vec<LedgerSum>, StorageError> {
    all!(&mut tx, LedgerSum, LEDGER_SUMS)
}

/// Sums of all posted lines.
pub async fn line_sums(mut tx: impl Connected) -> Result<Vec<LineSum>, StorageError> {
    all!(&mut tx, LineSum, LINE_SUMS)
}

/// Posted lines whose contra side has several parts, after a line: key, provider account and the
/// verdict's detail.
pub async fn split_lines(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<(i64, i64, String)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64, String),
        SPLIT_LINES,
        after,
        KEYS_AT_ONCE
    )
}

/// The first entry of lines that is not over as many lines as it says.
pub async fn miscounted_entry(mut tx: impl Connected) -> Result<Option<i64>, StorageError> {
    scalar_opt!(&mut tx, i64, MISCOUNTED_ENTRY)
}

/// The first verdict that names an entry which does not exist: file, line and number.
pub async fn unposted_line(
    mut tx: impl Connected,
) -> Result<Option<(Vec<u8>, i64, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64, i64), UNPOSTED_LINE)
}
