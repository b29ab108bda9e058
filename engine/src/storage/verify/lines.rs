//! How lines stand: their verdicts, their shares, and what is counted of them.

use super::KEYS_AT_ONCE;
use crate::{
    all, opt, statements,
    storage::{Rows, StorageError, tx::Connected},
};

statements! {
    WRONG_LINE_NOW(0) = "verify/wrong_line_now.sql", may_scan "compares every line";
    WRONG_OPEN(0) = "verify/wrong_open.sql", may_scan "sums every matched line";
    WRONG_FILE_VERDICT(0) = "verify/wrong_file_verdict.sql", may_scan "counts every line";
    WRONG_LINE_BUCKET(0) = "verify/wrong_line_bucket.sql", may_scan "compares every waiting line";
    SHARED_LINES(2) = "verify/shared_lines.sql";
    STRAY_SHARE(0) = "verify/stray_share.sql", may_scan "compares every share";
    @rows
    SHARES_OF_LINES(id: Int) = "verify/shares_of_lines.sql";
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

/// The first file and verdict whose number of lines is not that of its lines: public id, verdict,
/// the number as it stands and by the lines.
pub async fn wrong_file_verdict(
    mut tx: impl Connected,
) -> Result<Option<(String, String, i64, i64)>, StorageError> {
    opt!(&mut tx, (String, String, i64, i64), WRONG_FILE_VERDICT)
}

/// The first line that waits in a bucket that is not its own, or in none: file, line, and 1 where
/// it waits.
pub async fn wrong_line_bucket(
    mut tx: impl Connected,
) -> Result<Option<(Vec<u8>, i64, i64)>, StorageError> {
    opt!(&mut tx, (Vec<u8>, i64, i64), WRONG_LINE_BUCKET)
}
