//! What the registry answered before, and the lock that lets one worker at a time move an intent.

use super::{
    Rows, StorageError,
    tx::{Connected, Tx},
};
use crate::{all, exec, exec_one, opt, scalar, scalar_opt, statements};
use domain::time::Instant;

statements! {
    ANSWER(2) = "registry/answer.sql";
    ADD_ANSWER(5) = "registry/add_answer.sql";
    METADATA(1) = "registry/metadata.sql";
    ADD_METADATA(2) = "registry/add_metadata.sql";
    LOCK_INTENT(1) = "registry/lock_intent.sql", postgres "registry/lock_intent.postgres.sql";
    BY_REFERENCE(2) = "registry/by_reference.sql";
    @rows
    LOCK_INTENTS(intent_id: Int) = "registry/lock_intents.sql", postgres "registry/lock_intents.postgres.sql";
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// To register an intent, under the caller's idempotency key.
    Intent,
    /// To claim an attempt, under intent and claim id.
    Claim,
    /// To take a report, under attempt and content.
    Report,
}

/// An answer that was given.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct GivenAnswer {
    /// SHA-256 of what was asked.
    pub input_hash: Vec<u8>,
    /// JSON.
    pub answer: String,
}

impl Question {
    const fn code(self) -> &'static str {
        match self {
            Self::Intent => "intent",
            Self::Claim => "claim",
            Self::Report => "report",
        }
    }
}

/// What was answered under a key, if it was asked before.
pub async fn answer(
    mut tx: impl Connected,
    question: Question,
    key: &str,
) -> Result<Option<GivenAnswer>, StorageError> {
    opt!(&mut tx, GivenAnswer, ANSWER, question.code(), key)
}

/// Keeps an answer; false if another was kept under the key before. On PostgreSQL this waits until
/// whoever is about to keep one has done so or given up.
pub async fn add_answer(
    tx: &mut Tx,
    question: Question,
    key: &str,
    given: &GivenAnswer,
    at: Instant,
) -> Result<bool, StorageError> {
    let (hash, answer) = (given.input_hash.as_slice(), given.answer.as_str());
    let added = exec!(
        tx,
        ADD_ANSWER,
        question.code(),
        key,
        hash,
        answer,
        at.micros()
    )?;
    Ok(added == 1)
}

/// Keeps others from moving an intent until the unit of work ends.
pub async fn lock_intent(tx: &mut Tx, intent: i64) -> Result<(), StorageError> {
    scalar!(tx, i64, LOCK_INTENT, intent).map(|_| ())
}

/// Keeps others from moving any of these intents until the unit of work ends. They are locked from the
/// lowest, as everybody does who locks several.
pub async fn lock_intents(
    tx: &mut Tx,
    intents: impl Iterator<Item = i64>,
) -> Result<(), StorageError> {
    let mut rows = Rows::of(&LOCK_INTENTS);
    for id in intents {
        rows.add().int(id);
    }
    let _: Vec<(i64,)> = rows.all(tx, &LOCK_INTENTS).await?;
    Ok(())
}

/// Keeps the notes on an intent.
pub async fn add_metadata(tx: &mut Tx, intent: i64, metadata: &str) -> Result<(), StorageError> {
    exec_one!(tx, ADD_METADATA, intent, metadata)
}

/// The notes on an intent, if there are any.
pub async fn metadata(mut tx: impl Connected, intent: i64) -> Result<Option<String>, StorageError> {
    scalar_opt!(&mut tx, String, METADATA, intent)
}

/// The company's ids of intents with a reference, newest first.
pub async fn by_reference(
    mut tx: impl Connected,
    reference: &str,
    most: i64,
) -> Result<Vec<String>, StorageError> {
    let rows: Vec<(String,)> = all!(&mut tx, (String,), BY_REFERENCE, reference, most)?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}
