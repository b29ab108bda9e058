//! Leases: who works on what, until when. Whoever dies loses it by time.

use super::{StorageError, counter::allocate, tx::Tx};
use crate::{exec, statements};
use domain::time::Instant;

statements! {
    TAKE(6) = "lease/take.sql";
    RENEW(4) = "lease/renew.sql";
    RELEASE(3) = "lease/release.sql";
}

/// Takes a lease until an instant unless somebody else holds it still; says whether it was taken.
pub async fn take(
    tx: &mut Tx,
    kind: &str,
    key: &str,
    owner: &str,
    now: Instant,
    until: Instant,
) -> Result<bool, StorageError> {
    let id = allocate(&mut *tx, "job", 1).await?;
    Ok(exec!(tx, TAKE, id, kind, key, owner, now.micros(), until.micros())? == 1)
}

/// Moves the end of a lease; false if it was lost in between.
pub async fn renew(
    tx: &mut Tx,
    kind: &str,
    key: &str,
    owner: &str,
    until: Instant,
) -> Result<bool, StorageError> {
    Ok(exec!(tx, RENEW, kind, key, owner, until.micros())? == 1)
}

/// Gives a lease back.
pub async fn release(tx: &mut Tx, kind: &str, key: &str, owner: &str) -> Result<(), StorageError> {
    exec!(tx, RELEASE, kind, key, owner).map(|_| ())
}
