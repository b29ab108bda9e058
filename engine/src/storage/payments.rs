//! Intents and attempts as stored.

use super::{
    Rows, StorageError,
    statement::ColumnType::{self, Blob, Int, Text},
    tx::{Connected, Tx},
};
use crate::statements;
use domain::{matching::keys::normalise, payment::IntentState, time::Instant};

statements! {
    @rows
    INTENTS_BY_PUBLIC_ID(public_id: Text) = "payment/intents_by_public_id.sql";
    ATTEMPTS_BY_PUBLIC_ID(public_id: Text) = "payment/attempts_by_public_id.sql";
    ATTEMPT_NUMBERS_BY_INTENT(intent_id: Int) = "payment/attempt_numbers_by_intent.sql";
    LAST_REPORTS(attempt_id: Int) = "payment/last_reports.sql";
    EVIDENCE_HASHES(attempt_id: Int) = "payment/evidence_hashes.sql";
    HOLDERS_OF_ID(account_id: Int, held: Text) = "payment/holders_of_id.sql";
    HOLDERS_OF_KEY(account_id: Int, held: Text, key: Text) = "payment/holders_of_key.sql";
    PUT_ATTEMPT_NOW(attempt_id: Int, account_id: Int, reported: Text, outcome: Text, seq: Int, since: Int,
        written_off: Int)
        = "payment/put_attempt_now.sql";
    INTENT_NAMES(intent_id: Int) = "payment/intent_names.sql";
    INTENT_VERSIONS(intent_id: Int) = "payment/intent_versions.sql";
    PUT_INTENT_NOW(intent_id: Int, state: Text, version: Int, resend_permitted: Int) = "payment/put_intent_now.sql";
    PUT_INTENT_KEYS(key: Text, intent_id: Int) = "payment/put_intent_keys.sql";
    PUT_ATTEMPT_IDS(account_id: Int, provider_payment_id: Text, attempt_id: Int, learned_from: Text, line_id: Int)
        = "payment/put_attempt_ids.sql";
}

const INTENT: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("public_id", Text),
    ("merchant_reference", Text),
    ("operation", Text),
    ("amount", Int),
    ("currency", Text),
    ("direction", Text),
    ("counterparty", Text),
    ("created_at", Int),
    ("loss_policy", Text),
    ("source", Text),
];

const ATTEMPT: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("intent_id", Int),
    ("account_id", Int),
    ("public_id", Text),
    ("number", Int),
    ("idempotency_key", Text),
    ("provider_payment_id", Text),
    ("started_at", Int),
    ("finished_at", Int),
    ("outcome", Text),
    ("error_code", Text),
];

const ATTEMPT_EVENT: &[(&str, ColumnType)] = &[
    ("attempt_id", Int),
    ("seq", Int),
    ("outcome", Text),
    ("provider_payment_id", Text),
    ("finished_at", Int),
    ("error_code", Text),
    ("cause_kind", Text),
    ("cause", Text),
    ("at", Int),
];

const INTENT_EVENT: &[(&str, ColumnType)] = &[
    ("intent_id", Int),
    ("version", Int),
    ("state", Text),
    ("cause_kind", Text),
    ("cause", Text),
    ("at", Int),
];

const EVIDENCE: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("kind", Text),
    ("account_id", Int),
    ("intent_id", Int),
    ("attempt_id", Int),
    ("source", Text),
    ("content_hash", Blob),
    ("claim", Text),
    ("occurred_at", Int),
    ("received_at", Int),
];

const REMATCH: &[(&str, ColumnType)] = &[
    ("id", Int),
    ("account_id", Int),
    ("what", Text),
    ("first_id", Int),
    ("last_id", Int),
];

/// An intent as stored.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredIntent {
    pub id: i64,
    pub public_id: String,
    pub merchant_reference: String,
    pub operation: String,
    pub amount: i64,
    pub currency: String,
    pub direction: String,
    pub counterparty: String,
    pub created_at: i64,
    pub loss_policy: String,
}

/// Who holds a provider id or an idempotency key in an account.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Holder {
    pub account_id: i64,
    /// The id or the key.
    pub held: String,
    /// The intent's public id.
    pub intent: String,
    /// The intent's operation.
    pub operation: String,
    /// The attempt's public id.
    pub attempt: String,
}

/// Who holds provider ids that the company, an event or a query gave.
pub async fn holders_of_ids<'a>(
    tx: impl Connected,
    ids: impl Iterator<Item = (i64, &'a str)>,
) -> Result<Vec<Holder>, StorageError> {
    let mut rows = Rows::of(&HOLDERS_OF_ID);
    for (account, id) in ids {
        rows.add().int(account).text(id);
    }
    rows.all(tx, &HOLDERS_OF_ID).await
}

/// Who holds idempotency keys.
pub async fn holders_of_keys<'a>(
    tx: impl Connected,
    keys: impl Iterator<Item = (i64, &'a str)>,
) -> Result<Vec<Holder>, StorageError> {
    let mut rows = Rows::of(&HOLDERS_OF_KEY);
    for (account, key) in keys {
        rows.add().int(account).text(key).text(&normalise(key));
    }
    rows.all(tx, &HOLDERS_OF_KEY).await
}

/// An attempt as registered, and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct StoredAttempt {
    pub id: i64,
    pub public_id: String,
    pub intent_id: i64,
    pub account_id: i64,
    pub number: i64,
    pub idempotency_key: String,
    pub provider_payment_id: String,
    pub started_at: i64,
    pub finished_at: Option<i64>,
    pub outcome: String,
    pub error_code: String,
    /// The outcome that reports and decisions alone give.
    pub reported: String,
    /// The outcome with the evidence of lines.
    pub outcome_now: String,
    /// Its last event, 0 for none.
    pub seq: i64,
    /// Minor units written off because nothing came.
    pub written_off: i64,
}

/// An attempt of an intent and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct AttemptNumber {
    pub id: i64,
    pub intent_id: i64,
    pub number: i64,
    pub public_id: String,
    /// As registered.
    pub outcome: String,
    pub outcome_now: String,
}

/// Where an intent stands.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct IntentVersion {
    pub id: i64,
    pub public_id: String,
    pub loss_policy: String,
    pub version: i64,
    /// Empty while it never changed.
    pub state: String,
    pub resend_permitted: i64,
}

/// A step of an intent that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentChange {
    pub intent_id: i64,
    pub public_id: String,
    pub version: i64,
    pub state: IntentState,
}

/// What the last report of an attempt filled in.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct LastReport {
    pub attempt_id: i64,
    pub provider_payment_id: String,
    pub finished_at: Option<i64>,
    pub error_code: String,
}

/// Something that became of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAttemptEvent<'a> {
    pub attempt_id: i64,
    pub seq: i64,
    pub outcome: &'a str,
    pub provider_payment_id: &'a str,
    pub finished_at: Option<i64>,
    pub error_code: &'a str,
    pub cause_kind: &'a str,
    pub cause: &'a str,
    pub at: i64,
}

/// Intents that have one of these ids of the company.
pub async fn intents_by_public_id(
    tx: impl Connected,
    ids: impl Iterator<Item = &str>,
) -> Result<Vec<StoredIntent>, StorageError> {
    texts(&INTENTS_BY_PUBLIC_ID, ids)
        .all(tx, &INTENTS_BY_PUBLIC_ID)
        .await
}

/// Attempts that have one of these ids of the company.
pub async fn attempts_by_public_id(
    tx: impl Connected,
    ids: impl Iterator<Item = &str>,
) -> Result<Vec<StoredAttempt>, StorageError> {
    texts(&ATTEMPTS_BY_PUBLIC_ID, ids)
        .all(tx, &ATTEMPTS_BY_PUBLIC_ID)
        .await
}

/// The attempts of intents, by number.
pub async fn attempt_numbers(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<AttemptNumber>, StorageError> {
    ints(&ATTEMPT_NUMBERS_BY_INTENT, intents)
        .all(tx, &ATTEMPT_NUMBERS_BY_INTENT)
        .await
}

/// Id and reference of intents, as the company gave them.
pub async fn intent_names(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, String, String)>, StorageError> {
    ints(&INTENT_NAMES, intents).all(tx, &INTENT_NAMES).await
}

/// What becomes of the permission to try an intent again when its state changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permit {
    /// It stands as it stood.
    Kept,
    /// A new attempt used it up.
    Spent,
}

/// Gives each intent the version after the one that was read, and its state, and returns what was
/// recorded. Read the versions before the attempts that the states follow from: an intent that somebody
/// moved since then is at that version already, and the uniqueness of versions refuses a second.
pub async fn advance_intents(
    tx: &mut Tx,
    states: &[(IntentVersion, IntentState)],
    permit: Permit,
    cause_kind: &'static str,
    cause: &str,
    at: Instant,
) -> Result<Vec<IntentChange>, StorageError> {
    let mut events = Rows::new("intent_event", INTENT_EVENT);
    let mut now = Rows::of(&PUT_INTENT_NOW);
    let mut changes = Vec::with_capacity(states.len());
    for (was, state) in states {
        let version = was.version + 1;
        events
            .add()
            .int(was.id)
            .int(version)
            .text(state.code())
            .text(cause_kind)
            .text(cause)
            .int(at.micros());
        now.add()
            .int(was.id)
            .text(state.code())
            .int(version)
            .int(match permit {
                Permit::Kept => was.resend_permitted,
                Permit::Spent => 0,
            });
        changes.push(IntentChange {
            intent_id: was.id,
            public_id: was.public_id.clone(),
            version,
            state: *state,
        });
    }
    events.insert_into(tx, "intent_event").await?;
    now.exec_each(tx, &PUT_INTENT_NOW).await?;
    Ok(changes)
}

/// Versions of intents; those that never changed are at 1 with an empty state.
pub async fn intent_versions(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<IntentVersion>, StorageError> {
    ints(&INTENT_VERSIONS, intents)
        .all(tx, &INTENT_VERSIONS)
        .await
}

/// What reports after registration filled in, oldest first within an attempt.
pub async fn last_reports(
    tx: impl Connected,
    attempts: impl Iterator<Item = i64>,
) -> Result<Vec<LastReport>, StorageError> {
    ints(&LAST_REPORTS, attempts).all(tx, &LAST_REPORTS).await
}

/// Hashes of the evidence that attempts already have.
pub async fn evidence_hashes(
    tx: impl Connected,
    attempts: impl Iterator<Item = i64>,
) -> Result<Vec<(i64, Vec<u8>)>, StorageError> {
    ints(&EVIDENCE_HASHES, attempts)
        .all(tx, &EVIDENCE_HASHES)
        .await
}

/// Rows for `intent`.
pub fn intent_rows() -> Rows {
    Rows::new("intent", INTENT)
}

/// Rows for `attempt`.
pub fn attempt_rows() -> Rows {
    Rows::new("attempt", ATTEMPT)
}

/// Rows for `evidence`.
pub fn evidence_rows() -> Rows {
    Rows::new("evidence", EVIDENCE)
}

/// Rows for `attempt_now`, replacing what stands.
pub fn attempt_now_rows() -> Rows {
    Rows::of(&PUT_ATTEMPT_NOW)
}

/// Rows for `attempt_id_now`, replacing what stands.
pub fn attempt_id_rows() -> Rows {
    Rows::of(&PUT_ATTEMPT_IDS)
}

/// Rows for `intent_key_now`.
pub fn intent_key_rows() -> Rows {
    Rows::of(&PUT_INTENT_KEYS)
}

/// Writes rows of [`intent_key_rows`]; those that stand already are left.
pub async fn put_intent_keys(tx: &mut Tx, rows: &Rows) -> Result<(), StorageError> {
    rows.exec(tx, &PUT_INTENT_KEYS).await.map(|_| ())
}

/// Writes rows of [`attempt_now_rows`].
pub async fn put_attempt_now(tx: &mut Tx, rows: &Rows) -> Result<(), StorageError> {
    rows.exec_each(tx, &PUT_ATTEMPT_NOW).await
}

/// Writes rows of [`attempt_id_rows`].
pub async fn put_attempt_ids(tx: &mut Tx, rows: &Rows) -> Result<(), StorageError> {
    rows.exec_each(tx, &PUT_ATTEMPT_IDS).await
}

/// Appends events of attempts.
pub async fn insert_attempt_events(
    tx: &mut Tx,
    events: &[NewAttemptEvent<'_>],
) -> Result<(), StorageError> {
    let mut rows = Rows::new("attempt_event", ATTEMPT_EVENT);
    for e in events {
        rows.add()
            .int(e.attempt_id)
            .int(e.seq)
            .text(e.outcome)
            .text(e.provider_payment_id)
            .opt_int(e.finished_at)
            .text(e.error_code)
            .text(e.cause_kind)
            .text(e.cause)
            .int(e.at);
    }
    rows.insert_into(tx, "attempt_event").await
}

/// Leaves word that attempts or lines of an account, from one id to another, are to be judged again.
pub async fn insert_rematch(
    tx: &mut Tx,
    account_id: i64,
    what: &'static str,
    first_id: i64,
    last_id: i64,
) -> Result<(), StorageError> {
    let id = super::counter::allocate(&mut *tx, "rematch", 1).await?;
    let mut rows = Rows::new("rematch", REMATCH);
    rows.add()
        .int(id)
        .int(account_id)
        .text(what)
        .int(first_id)
        .int(last_id);
    rows.insert_into(tx, "rematch").await
}

fn texts<'a>(statement: &super::RowsSql, values: impl Iterator<Item = &'a str>) -> Rows {
    let mut rows = Rows::of(statement);
    for value in values {
        rows.add().text(value);
    }
    rows
}

fn ints(statement: &super::RowsSql, values: impl Iterator<Item = i64>) -> Rows {
    let mut rows = Rows::of(statement);
    for value in values {
        rows.add().int(value);
    }
    rows
}
