//! Cases as stored: how they opened, each step, and how they stand.

use super::{
    Rows, StorageError,
    statement::ColumnType::{self, Int, Text},
    tx::{Connected, Tx},
};
use crate::{all, one, scalar_opt, statements};

statements! {
    OF_FILE(1) = "case/of_file.sql";
    ID_BY_PUBLIC_ID(1) = "case/id_by_public_id.sql";
    LAST_EVENT(1) = "case/last_event.sql";
    SEVERITIES(3) = "case/severities.sql";
    @rows
    OPEN_CASES(what: Text, id: Int) = "case/about.sql";
    CASES_BY_ID(case_id: Int) = "case/by_id.sql";
    CASES_BY_SUBJECT(kind: Text, subject: Text) = "case/by_subject.sql";
    PUT_CASE_NOW(case_id: Int, kind: Text, subject: Text, state: Text, version: Int, evidence_version: Int,
        account_id: Int, currency: Text, at_risk: Int, severity: Int, escalated: Int, intent_id: Int, attempt_id: Int,
        line_id: Int, file_id: Int, batch_id: Int, facts: Text, opened_at: Int, due_at: Int, owner_id: Int,
        lease_until: Int, wake_at: Int, resolution: Text, resolved_at: Int) = "case/put_now.sql";
    SET_SEVERITIES(case_id: Int, severity: Int) = "case/set_severities.sql", may_scan "the rows themselves";
}

const REVIEW_CASE: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("public_id", Text),
    ("kind", Text),
    ("subject", Text),
    ("opening", Int),
    ("account_id", Int),
    ("opened_at", Int),
];

const CASE_EVENT: &[(&str, ColumnType)] = &[
    ("case_id", Int),
    ("version", Int),
    ("what", Text),
    ("state", Text),
    ("detail", Text),
    ("actor", Text),
    ("at", Int),
];

/// How a case stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredCase {
    pub case_id: i64,
    pub public_id: String,
    pub opening: i64,
    pub kind: String,
    pub subject: String,
    pub state: String,
    pub version: i64,
    pub evidence_version: i64,
    pub account_id: i64,
    /// Empty where no money is known.
    pub currency: String,
    pub at_risk: i64,
    pub severity: i64,
    /// Steps by which people raised the severity.
    pub escalated: i64,
    pub intent_id: Option<i64>,
    pub attempt_id: Option<i64>,
    pub line_id: Option<i64>,
    pub file_id: Option<i64>,
    pub batch_id: Option<i64>,
    pub facts: String,
    pub opened_at: i64,
    pub due_at: i64,
    pub owner_id: Option<i64>,
    pub lease_until: Option<i64>,
    pub wake_at: Option<i64>,
    pub resolution: String,
    pub resolved_at: Option<i64>,
}

/// A step in the life of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCaseEvent {
    pub case_id: i64,
    pub version: i64,
    pub what: &'static str,
    pub state: String,
    pub detail: String,
    pub actor: String,
    pub at: i64,
}

/// A case by what makes its severity.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct AgedCase {
    pub case_id: i64,
    /// Empty where no money is known.
    pub currency: String,
    pub at_risk: i64,
    pub severity: i64,
    pub escalated: i64,
    pub opened_at: i64,
}

/// Unresolved cases of an account by what makes their severity, a page of them.
pub async fn severities(
    mut tx: impl Connected,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<AgedCase>, StorageError> {
    all!(&mut tx, AgedCase, SEVERITIES, account, after, limit)
}

/// Writes severities of cases. They are no step of the case: what it shows and who holds it stay.
pub async fn set_severities(
    tx: &mut Tx,
    severities: impl Iterator<Item = (i64, i64)>,
) -> Result<(), StorageError> {
    let mut rows = Rows::of(&SET_SEVERITIES);
    for (case, severity) in severities {
        rows.add().int(case).int(severity);
    }
    rows.exec_each(tx, &SET_SEVERITIES).await
}

/// Cases, open or not, about these intents and lines.
pub async fn about(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
    lines: impl Iterator<Item = i64>,
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&OPEN_CASES);
    for id in intents {
        rows.add().text("intent").int(id);
    }
    for id in lines {
        rows.add().text("line").int(id);
    }
    let found: Vec<(i64,)> = rows.all(tx, &OPEN_CASES).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Cases of these kinds and subjects.
pub async fn of_subjects<'a>(
    tx: impl Connected,
    subjects: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<i64>, StorageError> {
    let mut rows = Rows::of(&CASES_BY_SUBJECT);
    for (kind, subject) in subjects {
        rows.add().text(kind).text(subject);
    }
    let found: Vec<(i64,)> = rows.all(tx, &CASES_BY_SUBJECT).await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Cases about a file as a whole.
pub async fn of_file(mut tx: impl Connected, file: i64) -> Result<Vec<i64>, StorageError> {
    let found = all!(&mut tx, (i64,), OF_FILE, file)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// A case by its public id.
pub async fn by_public_id(
    mut tx: impl Connected,
    public_id: &str,
) -> Result<Option<StoredCase>, StorageError> {
    let Some(id) = scalar_opt!(&mut tx, i64, ID_BY_PUBLIC_ID, public_id)? else {
        return Ok(None);
    };
    Ok(by_id(&mut tx, std::iter::once(id))
        .await?
        .into_iter()
        .next())
}

/// The last thing that happened to a case: what, by whom, when.
pub async fn last_event(
    mut tx: impl Connected,
    case: i64,
) -> Result<(String, String, i64), StorageError> {
    one!(&mut tx, (String, String, i64), LAST_EVENT, case)
}

/// Cases by key in storage.
pub async fn by_id(
    tx: impl Connected,
    ids: impl Iterator<Item = i64>,
) -> Result<Vec<StoredCase>, StorageError> {
    let mut rows = Rows::of(&CASES_BY_ID);
    for id in ids {
        rows.add().int(id);
    }
    rows.all(tx, &CASES_BY_ID).await
}

/// Appends cases that open.
pub async fn insert(tx: &mut Tx, cases: &[StoredCase]) -> Result<(), StorageError> {
    let mut rows = Rows::new("review_case", REVIEW_CASE);
    for c in cases {
        rows.add()
            .int(c.case_id)
            .text(&c.public_id)
            .text(&c.kind)
            .text(&c.subject)
            .int(c.opening)
            .int(c.account_id)
            .int(c.opened_at);
    }
    rows.insert_into(tx, "review_case").await
}

/// Writes how cases stand.
pub async fn put(tx: &mut Tx, cases: &[StoredCase]) -> Result<(), StorageError> {
    let mut rows = Rows::of(&PUT_CASE_NOW);
    for c in cases {
        rows.add()
            .int(c.case_id)
            .text(&c.kind)
            .text(&c.subject)
            .text(&c.state)
            .int(c.version)
            .int(c.evidence_version)
            .int(c.account_id)
            .text(&c.currency)
            .int(c.at_risk)
            .int(c.severity)
            .int(c.escalated)
            .opt_int(c.intent_id)
            .opt_int(c.attempt_id)
            .opt_int(c.line_id)
            .opt_int(c.file_id)
            .opt_int(c.batch_id)
            .text(&c.facts)
            .int(c.opened_at)
            .int(c.due_at)
            .opt_int(c.owner_id)
            .opt_int(c.lease_until)
            .opt_int(c.wake_at)
            .text(&c.resolution)
            .opt_int(c.resolved_at);
    }
    rows.exec_each(tx, &PUT_CASE_NOW).await
}

/// Appends steps of cases.
pub async fn insert_events(tx: &mut Tx, events: &[NewCaseEvent]) -> Result<(), StorageError> {
    let mut rows = Rows::new("case_event", CASE_EVENT);
    for e in events {
        rows.add()
            .int(e.case_id)
            .int(e.version)
            .text(e.what)
            .text(&e.state)
            .text(&e.detail)
            .text(&e.actor)
            .int(e.at);
    }
    rows.insert_into(tx, "case_event").await
}
