//! What exports read, a page at a time in a stable order.

use super::{
    Rows, StorageError,
    seal::{LeafBatch, PlacedBatchRow},
    tx::Connected,
};
use crate::{all, statements};

statements! {
    FILES(1) = "export/files.sql", may_scan "every file, in key order";
    LINES(4) = "export/lines.sql";
    REJECTED(2) = "export/rejected.sql";
    CASES(4) = "export/cases.sql", may_scan "every case, in key order";
    PAYMENTS(5) = "export/payments.sql" after ["export/part/payment.sql"], may_scan "every intent, in key order";
    ENTRIES(4) = "export/entries.sql", may_scan "every entry, in key order";
    LISTED_PAYMENTS(4) = "export/listed_payments.sql" after ["export/part/payment.sql"], may_scan "every intent, in key order";
    LISTED_ENTRIES(6) = "export/listed_entries.sql", may_scan "every entry, in key order";
    BLOCKS_OF_ENTRIES(3) = "export/blocks_of_entries.sql";
    @rows
    CASES_BY_KEY(case_id: Int) = "export/cases_by_key.sql";
    SHARES(id: Int) = "export/shares.sql";
}

/// A settlement file.
#[derive(Debug, sqlx::FromRow)]
pub struct FileRow {
    /// Its key.
    pub id: i64,
    /// SHA-256 of its bytes.
    pub sha256: Vec<u8>,
    /// The provider account.
    pub provider: String,
    /// How it stands.
    pub state: String,
    /// The first day that it speaks of.
    pub first_day: i64,
    /// The last.
    pub last_day: i64,
    /// 1 where those are known.
    pub dated: i64,
}

/// A settlement line with what became of it.
#[derive(Debug, sqlx::FromRow)]
pub struct LineRow {
    /// Its key.
    pub id: i64,
    /// The physical line.
    pub line_no: i64,
    /// The provider's row id.
    pub row_id: String,
    /// Row kind.
    pub kind: String,
    /// Minor units.
    pub gross: i64,
    /// Minor units.
    pub fee: i64,
    /// Minor units.
    pub net: i64,
    /// Currency of these.
    pub currency: String,
    /// What the payer saw.
    pub presented_amount: i64,
    /// Its currency.
    pub presented_currency: String,
    /// The provider's batch id.
    pub batch: String,
    /// What became of it.
    pub verdict: String,
    /// By which rule.
    pub rule: String,
    /// The intent's id.
    pub intent: String,
    /// The attempt's id.
    pub attempt: String,
}

/// A share of a line.
#[derive(Debug, sqlx::FromRow)]
pub struct ShareRow {
    /// The line's key.
    pub line_id: i64,
    /// The attempt's key.
    pub attempt_id: i64,
    /// The intent's id.
    pub intent: String,
    /// The attempt's id.
    pub attempt: String,
    /// Minor units of what the payer saw.
    pub amount: i64,
}

/// A case as it stands.
#[derive(Debug, sqlx::FromRow)]
pub struct CaseRow {
    /// Its key.
    pub id: i64,
    /// Its public id.
    pub public_id: String,
    /// Its kind.
    pub kind: String,
    /// Its state.
    pub state: String,
    /// 1 to 4.
    pub severity: i64,
    /// The provider account.
    pub provider: String,
    /// Currency, or empty.
    pub currency: String,
    /// Money at risk.
    pub at_risk: i64,
    /// The intent's id.
    pub intent: String,
    /// The attempt's id.
    pub attempt: String,
    /// Microseconds.
    pub opened_at: i64,
    /// Microseconds.
    pub due_at: i64,
    /// Who has it.
    pub owner: String,
    /// How it was resolved.
    pub resolution: String,
    /// Microseconds.
    pub resolved_at: Option<i64>,
}

/// An intent with one of its attempts, or none.
#[derive(Debug, sqlx::FromRow)]
pub struct PaymentRow {
    /// The intent's key.
    pub intent_key: i64,
    /// The attempt's number, 0 for none.
    pub number: i64,
    /// The intent's id.
    pub intent: String,
    /// The reference towards others.
    pub merchant_reference: String,
    /// The company's word.
    pub operation: String,
    /// Minor units.
    pub amount: i64,
    /// Currency.
    pub currency: String,
    /// in or out.
    pub direction: String,
    /// Who pays or is paid.
    pub counterparty: String,
    /// Microseconds.
    pub created_at: i64,
    /// What unknown does.
    pub loss_policy: String,
    /// The attempt's id.
    pub attempt: Option<String>,
    /// The provider account.
    pub provider: String,
    /// The key that was sent.
    pub idempotency_key: String,
    /// The provider's id, as the company knows it.
    pub provider_payment_id: String,
    /// Microseconds.
    pub started_at: Option<i64>,
    /// Microseconds.
    pub finished_at: Option<i64>,
    /// As the company's reports say.
    pub outcome: String,
    /// The provider's error code.
    pub error_code: String,
    /// The intent's version.
    pub version: i64,
    /// The intent's state where it changed since it was registered, else empty.
    pub state: String,
    /// Outcomes of all attempts, comma separated.
    pub outcomes: String,
    /// How the attempt stands with what lines and people say.
    pub outcome_now: String,
    /// The provider's id, from whoever gave it.
    pub provider_payment_id_now: String,
}

/// Files after a key.
pub async fn files(mut tx: impl Connected, after: i64) -> Result<Vec<FileRow>, StorageError> {
    all!(&mut tx, FileRow, FILES, after)
}

/// Lines of a file after a line, booked on these days.
pub async fn lines(
    mut tx: impl Connected,
    file: i64,
    after: i64,
    days: (i64, i64),
) -> Result<Vec<LineRow>, StorageError> {
    all!(&mut tx, LineRow, LINES, file, after, days.0, days.1)
}

/// Shares of lines.
pub async fn shares(
    tx: impl Connected,
    lines: impl IntoIterator<Item = i64>,
) -> Result<Vec<ShareRow>, StorageError> {
    let mut rows = Rows::of(&SHARES);
    for line in lines {
        rows.add().int(line);
    }
    rows.all(tx, &SHARES).await
}

/// Rejected rows of a file after a line: line and row id.
pub async fn rejected(
    mut tx: impl Connected,
    file: i64,
    after: i64,
) -> Result<Vec<(i64, String)>, StorageError> {
    all!(&mut tx, (i64, String), REJECTED, file, after)
}

/// Cases after a key, opened in a span of time.
pub async fn cases(
    mut tx: impl Connected,
    after: i64,
    opened: (i64, i64),
    provider: &str,
) -> Result<Vec<CaseRow>, StorageError> {
    all!(&mut tx, CaseRow, CASES, after, opened.0, opened.1, provider)
}

/// Payments after an intent and attempt number, created in a span of time.
pub async fn payments(
    mut tx: impl Connected,
    after: (i64, i64),
    created: (i64, i64),
    provider: &str,
) -> Result<Vec<PaymentRow>, StorageError> {
    all!(
        &mut tx, PaymentRow, PAYMENTS, after.0, after.1, created.0, created.1, provider
    )
}

/// Cases by key, in no order.
pub async fn cases_by_key(
    tx: impl Connected,
    keys: impl IntoIterator<Item = i64>,
) -> Result<Vec<CaseRow>, StorageError> {
    let mut rows = Rows::of(&CASES_BY_KEY);
    for key in keys {
        rows.add().int(key);
    }
    rows.all(tx, &CASES_BY_KEY).await
}

/// Payments from an intent on down to another, newest first, after an attempt number of the first;
/// those with an attempt at a provider account, or all.
pub async fn listed_payments(
    mut tx: impl Connected,
    from: (i64, i64),
    last: i64,
    provider: &str,
) -> Result<Vec<PaymentRow>, StorageError> {
    all!(
        &mut tx,
        PaymentRow,
        LISTED_PAYMENTS,
        from.0,
        from.1,
        last,
        provider
    )
}

/// Entries before a number, newest first, booked on these days, of a provider account, with a
/// posting to a ledger account in a currency; empty for any: number and when they were posted.
pub async fn listed_entries(
    mut tx: impl Connected,
    before: i64,
    days: (i64, i64),
    provider: &str,
    ledger_account: &str,
    currency: &str,
) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64),
        LISTED_ENTRIES,
        before,
        days.0,
        days.1,
        provider,
        ledger_account,
        currency
    )
}

/// Entries after a number, booked on these days: number and when they were posted.
pub async fn entries(
    mut tx: impl Connected,
    after: i64,
    days: (i64, i64),
    provider: &str,
) -> Result<Vec<(i64, i64)>, StorageError> {
    all!(
        &mut tx,
        (i64, i64),
        ENTRIES,
        after,
        days.0,
        days.1,
        provider
    )
}

/// Blocks with the batches that hold leaves of entries in a span of numbers, among those that begin at
/// a number or later.
pub async fn blocks_of_entries(
    mut tx: impl Connected,
    first: i64,
    last: i64,
    from: i64,
) -> Result<Vec<(i64, LeafBatch)>, StorageError> {
    all!(
        &mut tx,
        PlacedBatchRow,
        BLOCKS_OF_ENTRIES,
        first,
        last,
        from
    )?
    .into_iter()
    .map(|row| Ok((row.block_number, row.batch.read()?)))
    .collect()
}
