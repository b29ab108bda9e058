//! Sessions, under the hash of their id.

use super::{StorageError, tx::Connected};
use crate::{exec, opt, statements};
use domain::time::Instant;

statements! {
    CREATE(4) = "session/create.sql";
    SAVE(4) = "session/save.sql";
    LOAD(2) = "session/load.sql";
    DELETE(1) = "session/delete.sql";
    DELETE_OF_USER(2) = "session/delete_of_user.sql";
    DELETE_EXPIRED(1) = "session/delete_expired.sql";
}

/// Keeps a new session; false if its id is taken.
pub async fn create(
    mut tx: impl Connected,
    id_hash: &[u8],
    user_id: i64,
    data: &str,
    expires_at: Instant,
) -> Result<bool, StorageError> {
    Ok(exec!(&mut tx, CREATE, id_hash, user_id, data, expires_at.micros())? == 1)
}

/// Keeps what a session holds now, if it still stands.
pub async fn save(
    mut tx: impl Connected,
    id_hash: &[u8],
    user_id: i64,
    data: &str,
    expires_at: Instant,
) -> Result<(), StorageError> {
    exec!(&mut tx, SAVE, id_hash, user_id, data, expires_at.micros()).map(|_| ())
}

/// What a session holds and when it ends, unless it has.
pub async fn load(
    mut tx: impl Connected,
    id_hash: &[u8],
    now: Instant,
) -> Result<Option<(String, Instant)>, StorageError> {
    let found: Option<(String, i64)> = opt!(&mut tx, (String, i64), LOAD, id_hash, now.micros())?;
    Ok(found.map(|(data, expires)| (data, Instant::from_micros(expires))))
}

/// Ends a session, if it stands.
pub async fn delete(mut tx: impl Connected, id_hash: &[u8]) -> Result<(), StorageError> {
    exec!(&mut tx, DELETE, id_hash).map(|_| ())
}

/// Ends all sessions of a user but one (none is kept with an empty hash).
pub async fn delete_of_user(
    mut tx: impl Connected,
    user_id: i64,
    keep: &[u8],
) -> Result<u64, StorageError> {
    exec!(&mut tx, DELETE_OF_USER, user_id, keep)
}

/// Forgets sessions that ended.
pub async fn delete_expired(mut tx: impl Connected, now: Instant) -> Result<u64, StorageError> {
    exec!(&mut tx, DELETE_EXPIRED, now.micros())
}
