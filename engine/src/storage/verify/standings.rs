//! Whatever else stands otherwise than its history says.

use crate::{
    opt, statements,
    storage::{StorageError, tx::Connected},
};

statements! {
    WRONG_INTENT_NOW(0) = "verify/wrong_intent_now.sql", may_scan "compares every intent that changed";
    WRONG_ATTEMPT_NOW(0) = "verify/wrong_attempt_now.sql", may_scan "compares every attempt that changed";
    WRONG_ATTEMPT_ID(0) = "verify/wrong_attempt_id.sql", may_scan "compares every learned id";
    WRONG_USER(0) = "verify/wrong_user.sql", may_scan "compares every account of a person";
    ORPHAN(0) = "verify/orphan.sql", may_scan "compares every reference of bulk tables";
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

/// The first intent whose current state is not the last of its history.
pub async fn wrong_intent_now(
    mut tx: impl Connected,
) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_INTENT_NOW)
}

/// The first attempt whose current row is not what its history gives.
pub async fn wrong_attempt_now(
    mut tx: impl Connected,
) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_ATTEMPT_NOW)
}

/// The first provider id of an attempt that nobody taught, or that was taught and is not there.
pub async fn wrong_attempt_id(
    mut tx: impl Connected,
) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_ATTEMPT_ID)
}

/// The first account of a person that is not what its history gives.
pub async fn wrong_user(mut tx: impl Connected) -> Result<Option<WrongStanding>, StorageError> {
    opt!(&mut tx, WrongStanding, WRONG_USER)
}

/// The first row of a bulk table whose parent is not there: its table, the parent's table and key.
pub async fn orphan(mut tx: impl Connected) -> Result<Option<(String, String, i64)>, StorageError> {
    opt!(&mut tx, (String, String, i64), ORPHAN)
}
