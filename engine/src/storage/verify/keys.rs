//! Keys by which lines and payments find each other.

use super::KEYS_AT_ONCE;
use crate::{
    all, statements,
    storage::{Rows, RowsSql, StorageError, tx::Connected},
};

statements! {
    ODD_LINE_KEYS(3) = "verify/odd_line_keys.sql", may_scan "compares every key";
    KEYLESS_LINES(2) = "verify/keyless_lines.sql", may_scan "compares every open line";
    ODD_INTENT_KEYS(3) = "verify/odd_intent_keys.sql", may_scan "compares every key";
    KEYLESS_ATTEMPTS(2) = "verify/keyless_attempts.sql", may_scan "compares every attempt";
    @rows
    KEYS_OF_LINES(line_id: Int) = "verify/keys_of_lines.sql";
    KEYS_OF_INTENTS(intent_id: Int) = "verify/keys_of_intents.sql";
    IDEMPOTENCY_KEYS(intent_id: Int) = "verify/idempotency_keys.sql";
}

/// A key of a line that its texts do not give as they stand.
#[derive(Debug, sqlx::FromRow)]
pub struct OddLineKey {
    /// The line's key in storage.
    pub line_id: i64,
    /// The text by which it is found.
    pub key: String,
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// Its reference, empty where the key is of another account.
    pub reference: String,
}

/// Keys of lines that their texts do not give as they stand, after a key.
pub async fn odd_line_keys(
    mut tx: impl Connected,
    after: (i64, &str),
) -> Result<Vec<OddLineKey>, StorageError> {
    all!(
        &mut tx,
        OddLineKey,
        ODD_LINE_KEYS,
        after.0,
        after.1,
        KEYS_AT_ONCE
    )
}

/// An open line that lacks a key that is one of its texts as it stands.
#[derive(Debug, sqlx::FromRow)]
pub struct KeylessLine {
    /// The line's key in storage.
    pub line_id: i64,
    /// SHA-256 of its file.
    pub file: Vec<u8>,
    /// The line.
    pub line_no: i64,
    /// Its reference.
    pub reference: String,
    /// 1 where what it lacks is the key of a provider id.
    pub lacks_id: i64,
}

/// Open lines that lack a key, after a line.
pub async fn keyless_lines(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<KeylessLine>, StorageError> {
    all!(&mut tx, KeylessLine, KEYLESS_LINES, after, KEYS_AT_ONCE)
}

/// The keys of lines: line and key.
pub async fn keys_of_lines(
    tx: impl Connected,
    lines: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    let mut rows = Rows::of(&KEYS_OF_LINES);
    for line in lines {
        rows.add().int(line);
    }
    rows.all(tx, &KEYS_OF_LINES).await
}

/// A key of an intent that is no idempotency key of its attempts as it stands.
#[derive(Debug, sqlx::FromRow)]
pub struct OddIntentKey {
    /// The intent's key in storage.
    pub intent_id: i64,
    /// The text by which it is found.
    pub key: String,
    /// Its public id.
    pub intent: String,
    /// Its reference.
    pub reference: String,
}

/// Keys of intents that no attempt gives as they stand, after a key.
pub async fn odd_intent_keys(
    mut tx: impl Connected,
    after: (i64, &str),
) -> Result<Vec<OddIntentKey>, StorageError> {
    all!(
        &mut tx,
        OddIntentKey,
        ODD_INTENT_KEYS,
        after.0,
        after.1,
        KEYS_AT_ONCE
    )
}

/// An attempt whose idempotency key as it stands does not lead to its intent.
#[derive(Debug, sqlx::FromRow)]
pub struct KeylessAttempt {
    /// The attempt's key in storage.
    pub id: i64,
    /// Its intent's.
    pub intent_id: i64,
    /// The intent's public id.
    pub intent: String,
    /// Its reference.
    pub reference: String,
    /// What the attempt was sent with.
    pub idempotency_key: String,
}

/// Attempts whose idempotency key does not lead to their intent, after an attempt.
pub async fn keyless_attempts(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<KeylessAttempt>, StorageError> {
    all!(
        &mut tx,
        KeylessAttempt,
        KEYLESS_ATTEMPTS,
        after,
        KEYS_AT_ONCE
    )
}

/// The keys of intents: intent and key.
pub async fn keys_of_intents(
    tx: impl Connected,
    intents: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    of_intents(tx, &KEYS_OF_INTENTS, intents).await
}

/// The idempotency keys of intents' attempts: intent and key.
pub async fn idempotency_keys(
    tx: impl Connected,
    intents: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    of_intents(tx, &IDEMPOTENCY_KEYS, intents).await
}

async fn of_intents(
    tx: impl Connected,
    statement: &RowsSql,
    intents: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>, StorageError> {
    let mut rows = Rows::of(statement);
    for intent in intents {
        rows.add().int(intent);
    }
    rows.all(tx, statement).await
}
