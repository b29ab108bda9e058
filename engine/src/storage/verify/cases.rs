//! Cases, with what they name.

use crate::{
    all, statements,
    storage::{Rows, StorageError, tx::Connected},
};

statements! {
    CASES(2) = "verify/cases.sql", may_scan "compares every case";
    CASE_STEPS(2) = "verify/case_steps.sql";
    CASE_WAITS(2) = "verify/case_waits.sql";
    POLICIES(0) = "verify/policies.sql", may_scan "reads every policy";
    @rows
    LINES_BY_NAME(file_id: Int, line_no: Int) = "verify/lines_by_name.sql";
}

/// Cases that are read at once, with their histories.
const CASES_AT_ONCE: i64 = 500;

/// A case as it opened and as it stands; nothing of the latter where its current row is gone.
#[derive(Debug, sqlx::FromRow)]
pub struct CaseRow {
    /// Key in storage.
    pub id: i64,
    /// Public id.
    pub public_id: String,
    /// As it opened.
    pub kind_then: String,
    /// As it opened.
    pub subject_then: String,
    /// As it opened.
    pub account_then: i64,
    /// As it opened.
    pub opened_then: i64,
    /// As it stands, as are all that follow.
    pub kind: Option<String>,
    pub subject: Option<String>,
    pub state: Option<String>,
    pub version: Option<i64>,
    pub evidence_version: Option<i64>,
    pub account_id: Option<i64>,
    pub currency: Option<String>,
    pub at_risk: Option<i64>,
    pub severity: Option<i64>,
    pub escalated: Option<i64>,
    pub facts: Option<String>,
    pub opened_at: Option<i64>,
    pub due_at: Option<i64>,
    pub lease_until: Option<i64>,
    pub wake_at: Option<i64>,
    pub resolution: Option<String>,
    pub resolved_at: Option<i64>,
    pub intent_id: Option<i64>,
    pub attempt_id: Option<i64>,
    pub line_id: Option<i64>,
    pub file_id: Option<i64>,
    pub batch_id: Option<i64>,
    pub owner_id: Option<i64>,
    /// Name of the provider account.
    pub provider: Option<String>,
    /// Public id of the intent that the row names.
    pub intent: Option<String>,
    /// Public id of the attempt that the row names.
    pub attempt: Option<String>,
    /// SHA-256 of the file of the line that the row names.
    pub line_file: Option<Vec<u8>>,
    /// Number of that line.
    pub line_no: Option<i64>,
    /// SHA-256 of the file that the row names.
    pub file: Option<Vec<u8>>,
    /// The provider's id of the batch that the row names.
    pub batch: Option<String>,
    /// Address of the owner that the row names.
    pub owner: Option<String>,
}

/// Cases after a case.
pub async fn cases_after(mut tx: impl Connected, after: i64) -> Result<Vec<CaseRow>, StorageError> {
    all!(&mut tx, CaseRow, CASES, after, CASES_AT_ONCE)
}

/// A step of a case.
#[derive(Debug, sqlx::FromRow)]
pub struct CaseStep {
    /// Whose.
    pub case_id: i64,
    /// The version that it made.
    pub version: i64,
    /// What happened.
    pub what: String,
    /// Where it led.
    pub state: String,
    /// How the case stood after it, as JSON.
    pub detail: String,
    /// Who did it.
    pub actor: String,
    /// When.
    pub at: i64,
}

/// The steps of cases after one, up to another.
pub async fn case_steps(
    mut tx: impl Connected,
    after: i64,
    last: i64,
) -> Result<Vec<CaseStep>, StorageError> {
    all!(&mut tx, CaseStep, CASE_STEPS, after, last)
}

/// Decisions to wait about cases after one, up to another: case, its version then, params.
pub async fn case_waits(
    mut tx: impl Connected,
    after: i64,
    last: i64,
) -> Result<Vec<(i64, i64, String)>, StorageError> {
    all!(&mut tx, (i64, i64, String), CASE_WAITS, after, last)
}

/// Lines by file and number: file, number, key.
pub async fn lines_by_name(
    tx: impl Connected,
    names: impl IntoIterator<Item = (i64, i64)>,
) -> Result<Vec<(i64, i64, i64)>, StorageError> {
    let mut rows = Rows::of(&LINES_BY_NAME);
    for (file, line_no) in names {
        rows.add().int(file).int(line_no);
    }
    rows.all(tx, &LINES_BY_NAME).await
}

/// Every policy that accounts ever had: account, version, fields as JSON.
pub async fn policies(mut tx: impl Connected) -> Result<Vec<(i64, i64, String)>, StorageError> {
    all!(&mut tx, (i64, i64, String), POLICIES)
}
