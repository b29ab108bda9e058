//! Payment intents as pages show them.

use super::{Rows, StorageError, tx::Connected};
use crate::{all, opt, scalar, statements};

statements! {
    BEFORE(1) = "intents/before.sql";
    BY_PUBLIC_ID(1) = "intents/by_public_id.sql";
    EVENTS(1) = "intents/events.sql";
    LAST(0) = "intents/last.sql";
    @rows
    BY_IDS(intent_id: Int) = "intents/by_ids.sql";
    ATTEMPTS(intent_id: Int) = "intents/attempts.sql";
    LEARNED(attempt_id: Int) = "intents/learned.sql";
    ATTEMPT_EVENTS(attempt_id: Int) = "intents/attempt_events.sql";
    EVIDENCE(attempt_id: Int) = "intents/evidence.sql";
}

/// Intents that [`before`] gives at a time.
pub const STRIDE: usize = 200;

/// An intent and how it stands.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct IntentShown {
    /// Key.
    pub id: i64,
    /// The company's id.
    pub public_id: String,
    /// Merchant reference, or empty.
    pub merchant_reference: String,
    /// The company's word.
    pub operation: String,
    /// Minor units.
    pub amount: i64,
    /// Currency.
    pub currency: String,
    /// Direction.
    pub direction: String,
    /// Who pays or is paid, or empty.
    pub counterparty: String,
    /// When the business meant it.
    pub created_at: i64,
    /// Loss policy.
    pub loss_policy: String,
    /// Version, from 1.
    pub version: i64,
    /// Whether another attempt is permitted.
    pub resend_permitted: i64,
    /// Its state; empty where nothing changed since it was registered.
    pub state: String,
    /// Open cases about it.
    pub open_cases: i64,
}

/// An attempt and how it stands.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct AttemptShown {
    /// Key.
    pub id: i64,
    /// Key of its intent.
    pub intent_id: i64,
    /// The company's id.
    pub public_id: String,
    /// From 1.
    pub number: i64,
    /// Provider account by name.
    pub account: String,
    /// The key that was sent.
    pub idempotency_key: String,
    /// The provider's id as registered, or empty.
    pub provider_payment_id: String,
    /// When the call began.
    pub started_at: i64,
    /// When it ended.
    pub finished_at: Option<i64>,
    /// The provider's error code, or empty.
    pub error_code: String,
    /// Outcome by reports and decisions.
    pub reported: String,
    /// Outcome by all evidence.
    pub outcome: String,
}

/// A provider id that an attempt was not registered with.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Learned {
    /// Key of the attempt.
    pub attempt_id: i64,
    /// The id.
    pub provider_payment_id: String,
    /// company, event, query, line.
    pub learned_from: String,
}

/// Something that became of an attempt.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct AttemptEvent {
    /// Key of the attempt.
    pub attempt_id: i64,
    /// From 1.
    pub seq: i64,
    /// The outcome from here on.
    pub outcome: String,
    /// An id learned with it, or empty.
    pub provider_payment_id: String,
    /// When the call ended.
    pub finished_at: Option<i64>,
    /// The provider's error code, or empty.
    pub error_code: String,
    /// report, line, decision, sweep.
    pub cause_kind: String,
    /// Natural id of the cause.
    pub cause: String,
    /// When.
    pub at: i64,
}

/// Evidence about an attempt.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct EvidenceShown {
    /// Key.
    pub id: i64,
    /// Key of the attempt.
    pub attempt_id: Option<i64>,
    /// Kind.
    pub kind: String,
    /// Where it comes from.
    pub source: String,
    /// SHA-256.
    pub content_hash: Vec<u8>,
    /// JSON.
    pub claim: String,
    /// When it happened.
    pub occurred_at: Option<i64>,
    /// When it reached us.
    pub received_at: i64,
}

/// A state that an intent came to.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct StateEvent {
    /// The version it made.
    pub version: i64,
    /// The state.
    pub state: String,
    /// What caused it.
    pub cause_kind: String,
    /// Natural id of the cause.
    pub cause: String,
    /// When.
    pub at: i64,
}

/// Intents registered before one, newest first: the next [`STRIDE`].
pub async fn before(mut tx: impl Connected, id: i64) -> Result<Vec<IntentShown>, StorageError> {
    all!(&mut tx, IntentShown, BEFORE, id)
}

/// An intent by the company's id.
pub async fn by_public_id(
    mut tx: impl Connected,
    id: &str,
) -> Result<Option<IntentShown>, StorageError> {
    opt!(&mut tx, IntentShown, BY_PUBLIC_ID, id)
}

/// Intents by key, newest first.
pub async fn by_ids(tx: impl Connected, ids: &[i64]) -> Result<Vec<IntentShown>, StorageError> {
    let mut rows = Rows::of(&BY_IDS);
    for id in ids {
        rows.add().int(*id);
    }
    let mut found: Vec<IntentShown> = rows.all(tx, &BY_IDS).await?;
    found.sort_by_key(|intent| std::cmp::Reverse(intent.id));
    Ok(found)
}

/// Attempts of intents, by intent and number.
pub async fn attempts(
    tx: impl Connected,
    intents: impl Iterator<Item = i64>,
) -> Result<Vec<AttemptShown>, StorageError> {
    let mut rows = Rows::of(&ATTEMPTS);
    for id in intents {
        rows.add().int(id);
    }
    let mut found: Vec<AttemptShown> = rows.all(tx, &ATTEMPTS).await?;
    found.sort_by_key(|attempt| (attempt.intent_id, attempt.number));
    Ok(found)
}

/// Provider ids that attempts learned.
pub async fn learned(
    tx: impl Connected,
    attempts: &[AttemptShown],
) -> Result<Vec<Learned>, StorageError> {
    let mut rows = Rows::of(&LEARNED);
    for attempt in attempts {
        rows.add().int(attempt.id);
    }
    rows.all(tx, &LEARNED).await
}

/// What became of attempts, oldest first.
pub async fn attempt_events(
    tx: impl Connected,
    attempts: &[AttemptShown],
) -> Result<Vec<AttemptEvent>, StorageError> {
    let mut rows = Rows::of(&ATTEMPT_EVENTS);
    for attempt in attempts {
        rows.add().int(attempt.id);
    }
    let mut found: Vec<AttemptEvent> = rows.all(tx, &ATTEMPT_EVENTS).await?;
    found.sort_by_key(|event| (event.at, event.attempt_id, event.seq));
    Ok(found)
}

/// Evidence about attempts, oldest first.
pub async fn evidence(
    tx: impl Connected,
    attempts: &[AttemptShown],
) -> Result<Vec<EvidenceShown>, StorageError> {
    let mut rows = Rows::of(&EVIDENCE);
    for attempt in attempts {
        rows.add().int(attempt.id);
    }
    let mut found: Vec<EvidenceShown> = rows.all(tx, &EVIDENCE).await?;
    found.sort_by_key(|evidence| (evidence.received_at, evidence.id));
    Ok(found)
}

/// States of an intent, newest first, at most 200.
pub async fn events(mut tx: impl Connected, intent: i64) -> Result<Vec<StateEvent>, StorageError> {
    all!(&mut tx, StateEvent, EVENTS, intent)
}

/// How many intents there are: their keys have no gaps.
pub async fn last(mut tx: impl Connected) -> Result<i64, StorageError> {
    scalar!(&mut tx, i64, LAST)
}
