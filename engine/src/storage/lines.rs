//! Settlement lines as pages show them.

use super::{
    Rows, StorageError,
    record_cases::{self, FileRecord},
    tx::Connected,
    wide::wide,
};
use crate::{all, opt, scalar, statements};

statements! {
    PAGE_OF_FILE(5) = "lines/page_of_file.sql";
    LAST_LOOKED_AT(2) = "lines/last_looked_at.sql";
    FIGURES_OF_FILE(4) = "lines/figures_of_file.sql";
    AT(2) = "lines/at.sql";
    REJECTED_AT(2) = "lines/rejected_at.sql";
    BEFORE(2) = "lines/before.sql";
    AFTER(2) = "lines/after.sql";
    VERDICTS(1) = "lines/verdicts.sql";
    OF_INTENT(1) = "lines/of_intent.sql";
    OF_BATCH(3) = "lines/of_batch.sql";
    @rows
    BY_IDS(line_id: Int) = "lines/by_ids.sql";
    MONEY_OF_INTENTS(intent_id: Int) = "lines/money_of_intents.sql";
}

/// Rows of a page; one more is read, to know whether another page follows.
pub const PAGE: usize = 100;

/// Lines of a file that one page looks at, so that a filter that fits few of them stays quick.
pub const LOOKED_AT: i64 = 20_000;

/// A line with the natural names of what it belongs to.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct LineShown {
    /// Key.
    pub id: i64,
    /// Its file, by public id.
    pub file_id: String,
    /// The name that its file came under.
    pub file_name: String,
    /// Physical line.
    pub line_no: i64,
    /// The provider's row id, or empty.
    pub row_id: String,
    /// Row kind.
    pub kind: String,
    /// The payment's id at the provider, or empty.
    pub provider_payment_id: String,
    /// The refund's or dispute's id, or empty.
    pub modification_id: String,
    /// The reference on it, or empty.
    pub merchant_reference: String,
    /// The provider's batch id, or empty.
    pub batch_id: String,
    /// Minor units.
    pub gross: i64,
    /// Minor units, positive when charged.
    pub fee: i64,
    /// Minor units.
    pub net: i64,
    /// Of gross, fee and net.
    pub currency: String,
    /// Minor units.
    pub presented_amount: i64,
    /// Of the presented amount.
    pub presented_currency: String,
    /// When its file came.
    pub received_at: i64,
    /// When it happened.
    pub occurred_at: Option<i64>,
    /// When it settled.
    pub settled_at: Option<i64>,
    /// Day under which it is booked.
    pub accounting_day: i64,
    /// Verdict, or `PENDING`.
    pub verdict: String,
    /// Rule.
    pub rule: String,
    /// The intent's public id, or empty.
    pub intent: String,
    /// The attempt's public id, or empty.
    pub attempt: String,
    /// Its file's key.
    pub file_key: i64,
    /// SHA-256 of its file.
    pub sha256: Vec<u8>,
    /// The open case about it, or empty.
    #[sqlx(skip)]
    pub open_case: String,
}

/// Where a line lies in the bytes of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct LinePlace {
    /// Key.
    pub id: i64,
    /// Where it starts.
    pub byte_offset: i64,
    /// How many bytes.
    pub byte_len: i64,
    /// Physical line.
    pub line_no: i64,
}

/// A row that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct RejectedRow {
    /// Physical line.
    pub line_no: i64,
    /// Where it starts.
    pub byte_offset: i64,
    /// How many bytes.
    pub byte_len: i64,
    /// The provider's row id, or empty.
    pub row_id: String,
    /// The column, or empty.
    pub column_name: String,
    /// The value, shortened and masked.
    pub value: String,
    /// What is wrong, as a code.
    pub reason: String,
    /// What is wrong and what would do.
    pub message: String,
}

/// Sums of lines in one currency.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct LineFigures {
    /// The currency.
    pub currency: String,
    /// How many.
    pub line_count: i64,
    /// Sum of gross, in parts: see [`LineFigures::gross`].
    pub gross_high: i64,
    /// Sum of gross, in parts.
    pub gross_low: i64,
    /// Sum of fees, in parts.
    pub fee_high: i64,
    /// Sum of fees, in parts.
    pub fee_low: i64,
    /// Sum of net, in parts.
    pub net_high: i64,
    /// Sum of net, in parts.
    pub net_low: i64,
}

impl LineFigures {
    /// The sum of gross in minor units.
    pub fn gross(&self) -> i128 {
        wide(self.gross_high, self.gross_low)
    }

    /// The sum of fees in minor units.
    pub fn fee(&self) -> i128 {
        wide(self.fee_high, self.fee_low)
    }

    /// The sum of net in minor units.
    pub fn net(&self) -> i128 {
        wide(self.net_high, self.net_low)
    }
}

/// A verdict that a line had.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct VerdictShown {
    /// From 1.
    pub seq: i64,
    /// When.
    pub at: i64,
    /// What.
    pub verdict: String,
    /// By which rule.
    pub rule: String,
    /// Under which policy.
    pub policy_version: i64,
    /// JSON, or empty.
    pub detail: String,
    /// Ledger account of its contra amount, `split`, or empty.
    pub contra: String,
    /// The entry that posted it, or 0.
    pub entry_id: i64,
    /// What caused it.
    pub cause_kind: String,
    /// Natural id of the cause.
    pub cause: String,
}

/// What is looked for among the lines of a file; an empty text looks for anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Verdict, or `PENDING`.
    pub verdict: &'a str,
    /// Row kind.
    pub kind: &'a str,
    /// A row id, provider id, modification id or reference.
    pub q: &'a str,
}

/// Lines by key, in the order of their keys.
pub async fn by_ids(mut tx: impl Connected, ids: &[i64]) -> Result<Vec<LineShown>, StorageError> {
    let mut rows = Rows::of(&BY_IDS);
    for id in ids {
        rows.add().int(*id);
    }
    let mut found: Vec<LineShown> = rows.all(&mut tx, &BY_IDS).await?;
    found.sort_by_key(|line| line.id);
    let records = found.iter().map(|l| FileRecord::Line {
        id: l.id,
        kind: &l.kind,
        sha256: &l.sha256,
        line_no: l.line_no,
        file: l.file_key,
    });
    let mut cases = record_cases::of_records(&mut tx, records).await?;
    for (place, line) in found.iter_mut().enumerate() {
        let case = cases.remove(&place).filter(|c| c.open);
        line.open_case = case.map_or_else(String::new, |c| c.id);
    }
    Ok(found)
}

/// Keys of a page of lines of a file after a physical line: at most [`PAGE`] and one more, out of the
/// next [`LOOKED_AT`].
pub async fn page_of_file(
    mut tx: impl Connected,
    file: i64,
    after: i64,
    wanted: Wanted<'_>,
) -> Result<Vec<i64>, StorageError> {
    let found = all!(
        &mut tx,
        (i64,),
        PAGE_OF_FILE,
        file,
        after,
        wanted.verdict,
        wanted.kind,
        wanted.q
    )?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The last physical line that [`page_of_file`] looks at, if any.
pub async fn last_looked_at(
    mut tx: impl Connected,
    file: i64,
    after: i64,
) -> Result<Option<i64>, StorageError> {
    scalar!(&mut tx, Option<i64>, LAST_LOOKED_AT, file, after)
}

/// Sums over the first [`LOOKED_AT`] lines of a file and one more, by currency.
pub async fn figures_of_file(
    mut tx: impl Connected,
    file: i64,
    wanted: Wanted<'_>,
) -> Result<Vec<LineFigures>, StorageError> {
    all!(
        &mut tx,
        LineFigures,
        FIGURES_OF_FILE,
        file,
        wanted.verdict,
        wanted.kind,
        wanted.q
    )
}

/// The line that starts at a physical line of a file.
pub async fn at(
    mut tx: impl Connected,
    file: i64,
    line_no: i64,
) -> Result<Option<LinePlace>, StorageError> {
    opt!(&mut tx, LinePlace, AT, file, line_no)
}

/// The first lines of a batch among those that lie between two keys, at most six: key and file.
pub async fn of_batch(
    mut tx: impl Connected,
    first: i64,
    last: i64,
    batch: i64,
) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(&mut tx, (i64, i64), OF_BATCH, first, last, batch)
}

/// The rejected row that starts at a physical line of a file.
pub async fn rejected_at(
    mut tx: impl Connected,
    file: i64,
    line_no: i64,
) -> Result<Option<RejectedRow>, StorageError> {
    opt!(&mut tx, RejectedRow, REJECTED_AT, file, line_no)
}

/// Physical lines of the records before and after one.
pub async fn neighbours(
    mut tx: impl Connected,
    file: i64,
    line_no: i64,
) -> Result<(Option<i64>, Option<i64>), StorageError> {
    let before = scalar!(&mut tx, Option<i64>, BEFORE, file, line_no)?;
    let after = scalar!(&mut tx, Option<i64>, AFTER, file, line_no)?;
    Ok((before, after))
}

/// Every verdict of a line, newest first.
pub async fn verdicts(
    mut tx: impl Connected,
    line: i64,
) -> Result<Vec<VerdictShown>, StorageError> {
    all!(&mut tx, VerdictShown, VERDICTS, line)
}

/// Keys of the lines that belong to an intent, at most 500.
pub async fn of_intent(mut tx: impl Connected, intent: i64) -> Result<Vec<i64>, StorageError> {
    Ok(all!(&mut tx, (i64,), OF_INTENT, intent)?
        .into_iter()
        .map(|(id,)| id)
        .collect())
}

/// What moved money of an intent: a matched line that belongs to it, whole or by a share.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct MovedLine {
    /// The intent's key.
    pub intent_id: i64,
    /// The line's key.
    pub id: i64,
    /// Row kind.
    pub kind: String,
    /// What the payer saw, in minor units.
    pub presented_amount: i64,
    /// Its currency.
    pub presented_currency: String,
    /// Currency of gross, fee and net.
    pub currency: String,
    /// Minor units.
    pub fee: i64,
}

/// Every matched line of the intents, by intent and line.
pub async fn money_of_intents(
    tx: impl Connected,
    intents: impl IntoIterator<Item = i64>,
) -> Result<Vec<MovedLine>, StorageError> {
    let mut rows = Rows::of(&MONEY_OF_INTENTS);
    for intent in intents {
        rows.add().int(intent);
    }
    rows.all(tx, &MONEY_OF_INTENTS).await
}
