//! Sessions of signed-in people. Their ids are secrets: only hashes are kept.

use crate::{Engine, Error, in_tx, storage::sessions};
use domain::time::Instant;
use sha2::{Digest, Sha256};

/// A session as kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// What it holds, as it was given.
    pub data: String,
    /// When it ends.
    pub expires_at: Instant,
}

/// What is kept of a secret.
pub(crate) fn hash_of(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// Keeps a new session; false if its id is taken. `user_id` is 0 before sign-in.
pub async fn create(
    engine: &Engine,
    id: &str,
    user_id: i64,
    data: &str,
    expires_at: Instant,
) -> Result<bool, Error> {
    let hash = hash_of(id);
    in_tx!(engine.store, |tx| Ok(sessions::create(
        tx, &hash, user_id, data, expires_at
    )
    .await?))
}

/// Keeps what a session holds now. One that was ended in the meantime stays ended, whoever still
/// had it open.
pub async fn save(
    engine: &Engine,
    id: &str,
    user_id: i64,
    data: &str,
    expires_at: Instant,
) -> Result<(), Error> {
    let hash = hash_of(id);
    in_tx!(engine.store, |tx| Ok(sessions::save(
        tx, &hash, user_id, data, expires_at
    )
    .await?))
}

/// A session, unless it ended.
pub async fn load(engine: &Engine, id: &str) -> Result<Option<Kept>, Error> {
    let found = sessions::load(&mut engine.store.read().await?, &hash_of(id), engine.now()).await?;
    Ok(found.map(|(data, expires_at)| Kept { data, expires_at }))
}

/// Ends a session, if it stands.
pub async fn delete(engine: &Engine, id: &str) -> Result<(), Error> {
    let hash = hash_of(id);
    in_tx!(engine.store, |tx| Ok(sessions::delete(tx, &hash).await?))
}

/// Forgets sessions that ended, and says how many.
pub async fn delete_expired(engine: &Engine) -> Result<u64, Error> {
    let now = engine.now();
    in_tx!(engine.store, |tx| Ok(
        sessions::delete_expired(tx, now).await?
    ))
}
