//! Leases: who works on what, until when. Whoever dies loses it by time.

use super::{
    StorageError,
    counter::allocate,
    tx::{Connected, Tx},
};
use crate::{all, exec, scalar, statements};
use domain::time::Instant;
use std::collections::BTreeSet;

statements! {
    TAKE(6) = "lease/take.sql";
    RENEW(4) = "lease/renew.sql";
    RELEASE(3) = "lease/release.sql";
    IS_HELD(3) = "lease/is_held.sql";
    RUNNING(2) = "lease/running.sql";
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

/// Whether somebody holds a lease, or held it last and nobody took it since.
pub async fn is_held(
    tx: &mut Tx,
    kind: &str,
    key: &str,
    owner: &str,
) -> Result<bool, StorageError> {
    Ok(scalar!(tx, i64, IS_HELD, kind, key, owner)? == 1)
}

/// What leases of a kind that run at an instant are about.
pub async fn running(
    mut tx: impl Connected,
    kind: &str,
    now: Instant,
) -> Result<BTreeSet<String>, StorageError> {
    let keys = all!(&mut tx, (String,), RUNNING, kind, now.micros())?;
    Ok(keys.into_iter().map(|(key,)| key).collect())
}

/// Gives a lease back.
pub async fn release(tx: &mut Tx, kind: &str, key: &str, owner: &str) -> Result<(), StorageError> {
    exec!(tx, RELEASE, kind, key, owner).map(|_| ())
}
