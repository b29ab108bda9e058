//! What verifying asks of the database: counts, keys, and sums that must agree.

use super::{
    Rows, StorageError,
    seal::{BatchRow, LeafBatch},
    stored,
    tx::Connected,
};
use crate::{all, opt, statements};
use domain::seal::RecordKind;

statements! {
    COUNTS(0) = "verify/counts.sql", may_scan "counts every history";
    KEYS(4) = "verify/keys.sql";
    BATCHES_AFTER(2) = "verify/batches_after.sql";
    UNBALANCED_ENTRY(0) = "verify/unbalanced_entry.sql", may_scan "sums every posting";
    WRONG_BALANCE(0) = "verify/wrong_balance.sql", may_scan "sums every posting";
    WRONG_TRIAL_BALANCE(0) = "verify/wrong_trial_balance.sql", may_scan "sums every balance";
    LEDGER_SUMS(0) = "verify/ledger_sums.sql", may_scan "sums every posting";
    LINE_SUMS(0) = "verify/line_sums.sql", may_scan "sums every line";
    SPLIT_LINES(2) = "verify/split_lines.sql";
    WRONG_LINE_NOW(0) = "verify/wrong_line_now.sql", may_scan "compares every line";
    WRONG_OPEN(0) = "verify/wrong_open.sql", may_scan "sums every matched line";
    WRONG_STANDING(0) = "verify/wrong_standing.sql", may_scan "compares what changed with its history";
    WRONG_BATCH(0) = "verify/wrong_batch.sql", may_scan "sums every line";
    ODD_BATCHES(0) = "verify/odd_batches.sql", may_scan "looks at every line";
    WRONG_IDENTITY(0) = "verify/wrong_identity.sql", may_scan "compares every line";
    UNPOSTED_LINE(0) = "verify/unposted_line.sql", may_scan "compares every verdict";
    SHARED_LINES(2) = "verify/shared_lines.sql";
    ADRIFT(0) = "verify/adrift.sql", may_scan "looks at every batch of leaves";
    STRAY_SHARE(0) = "verify/stray_share.sql", may_scan "compares every share";
    @rows
    SHARES_OF_LINES(id: Int) = "verify/shares_of_lines.sql";
}

/// Keys that are read at once.
pub const KEYS_AT_ONCE: i64 = 10_000;
/// Batches of leaves that are read at once.
const BATCHES_AT_ONCE: i64 = 20;

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

/// A line whose current row and history differ.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongLineNow {
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// The verdict that stands, empty for none.
    pub verdict_now: String,
    /// The last verdict of its history, empty for none.
    pub verdict: String,
}

/// A batch whose sums differ from its lines.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongBatch {
    /// The provider account.
    pub provider: String,
    /// The provider's batch id.
    pub batch: String,
    /// The currency.
    pub currency: String,
    /// Net as it stands.
    pub net_now: i64,
    /// Net of its lines.
    pub net: i64,
}

/// How many rows each history has.
pub async fn counts(mut tx: impl Connected) -> Result<Vec<(RecordKind, i64)>, StorageError> {
    all!(&mut tx, (String, i64), COUNTS)?
        .into_iter()
        .map(|(record, count)| {
            Ok((
                stored::parse("leaf_batch", "record", &record, &record)?,
                count,
            ))
        })
        .collect()
}

/// Keys of a history after a key, in order.
pub async fn keys_after(
    mut tx: impl Connected,
    kind: RecordKind,
    after: (i64, i64),
) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64),
        KEYS,
        kind.code(),
        after.0,
        after.1,
        KEYS_AT_ONCE
    )
}

/// Batches of leaves after a number, in order.
pub async fn batches_after(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<LeafBatch>, StorageError> {
    all!(&mut tx, BatchRow, BATCHES_AFTER, after, BATCHES_AT_ONCE)?
        .into_iter()
        .map(BatchRow::read)
        .collect()
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

/// The first line whose current row is not its last verdict.
pub async fn wrong_line_now(mut tx: impl Connected) -> Result<Option<WrongLineNow>, StorageError> {
    opt!(&mut tx, WrongLineNow, WRONG_LINE_NOW)
}

/// How much of an intent's movement is matched, as it stands and by its lines.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongOpen {
    /// The intent's id.
    pub intent: String,
    /// capture, refund or chargeback.
    pub kind: String,
    /// Its currency.
    pub currency: String,
    /// Its amount.
    pub amount: i64,
    /// What may be matched, as it stands; nothing where no sum is kept.
    pub allowed: Option<i64>,
    /// As it stands.
    pub matched_now: i64,
    /// By its lines.
    pub matched: i64,
}

/// A matched line whose last verdict says more than its columns.
#[derive(Debug, sqlx::FromRow)]
pub struct SharedLine {
    /// Its key.
    pub line_id: i64,
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// The verdict's detail.
    pub detail: String,
}

/// Matched lines whose last verdict says more than its columns, after a line.
pub async fn shared_lines(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<SharedLine>, StorageError> {
    all!(&mut tx, SharedLine, SHARED_LINES, after, KEYS_AT_ONCE)
}

/// Shares of lines as they stand: line, the attempt's public id, minor units.
pub async fn shares_of_lines(
    tx: impl Connected,
    lines: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String, i64)>, StorageError> {
    let mut rows = Rows::of(&SHARES_OF_LINES);
    for line in lines {
        rows.add().int(line);
    }
    rows.all(tx, &SHARES_OF_LINES).await
}

/// The first share that no verdict of a match can have given: file and line.
pub async fn stray_share(mut tx: impl Connected) -> Result<Option<(Vec<u8>, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64), STRAY_SHARE)
}

/// The first intent whose matched money is not the sum of its lines, or is kept against another
/// amount than its own.
pub async fn wrong_open(mut tx: impl Connected) -> Result<Option<WrongOpen>, StorageError> {
    opt!(&mut tx, WrongOpen, WRONG_OPEN)
}

/// Something whose current state is not the last of its history.
#[derive(Debug, sqlx::FromRow)]
pub struct WrongStanding {
    /// intent, attempt, case, settlement file.
    pub what: String,
    /// Its public id.
    pub name: String,
    /// As it stands, empty for nothing.
    pub stands: String,
    /// By its history, empty for nothing.
    pub history: String,
}

/// The first intent, attempt, case or file whose current state is not the last of its history.
pub async fn wrong_standing(mut tx: impl Connected) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_STANDING)
}

/// The first batch of leaves that lies in no block and waits for none, and its kind of record.
pub async fn adrift(mut tx: impl Connected) -> Result<Option<(i64, String)>, StorageError> {
    opt!(&mut tx, (i64, String), ADRIFT)
}

/// The first batch whose sums are not those of its lines.
pub async fn wrong_batch(mut tx: impl Connected) -> Result<Option<WrongBatch>, StorageError> {
    opt!(&mut tx, WrongBatch, WRONG_BATCH)
}

/// Batches of which not every row whose net is off waits for a decision: key, currency, how many wait as
/// it stands, and how many lines no rule has looked at yet.
pub async fn odd_batches(
    mut tx: impl Connected,
) -> Result<Vec<(i64, String, i64, i64)>, StorageError> {
    all!(&mut tx, (i64, String, i64, i64), ODD_BATCHES)
}

/// The first used line that its identity does not lead to: file, line, and 1 where the identity
/// leads to another line.
pub async fn wrong_identity(
    mut tx: impl Connected,
) -> Result<Option<(Vec<u8>, i64, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64, i64), WRONG_IDENTITY)
}

/// The first verdict that names an entry which does not exist: file, line and number.
pub async fn unposted_line(
    mut tx: impl Connected,
) -> Result<Option<(Vec<u8>, i64, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64, i64), UNPOSTED_LINE)
}
