//! Checks address and password. Neither the answer nor its time tells whether an address is known,
//! and each failure in a row makes the next try wait longer, known address or not.

use super::{User, password};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{tx::Connected, users},
};
use domain::{actor::Actor, time::Instant};
use serde_json::json;
use sha2::{Digest, Sha256};

/// Failures that cost nothing: fingers slip.
const FREE_FAILURES: i64 = 5;
/// Seconds to wait after the first failure that counts; each further one doubles it.
const FIRST_WAIT_SECONDS: i64 = 10;
const LONGEST_WAIT_SECONDS: i64 = 15 * 60;
/// Failures are forgotten after this time.
const MEMORY_SECONDS: i64 = 24 * 60 * 60;

/// The user with this address and password; none where they do not belong together or the user is
/// shut out.
pub async fn sign_in(engine: &Engine, email: &str, password: &str) -> Result<Option<User>, Error> {
    let now = engine.now();
    let email = email.trim().to_lowercase();
    let address = address_of(&email);
    let mut reader = engine.store.read().await?;
    check_wait(&mut reader, &address, now).await?;
    let found = users::by_email(&mut reader, &email).await?;
    drop(reader);
    count_try(engine, now, &address).await?;
    let hash = found.as_ref().map(|u| u.password_hash.as_str());
    let right = password::verify(password, hash).await?;
    if let Some(user) = found.filter(|u| right && !u.disabled) {
        succeeded(engine, now, &address, &user).await?;
        return Ok(Some(user.into()));
    }
    Ok(None)
}

/// What failures are counted under.
pub(super) fn address_of(email: &str) -> [u8; 32] {
    Sha256::digest(email.as_bytes()).into()
}

/// Refuses while the address must wait after failures.
pub(super) async fn check_wait(
    tx: impl Connected,
    address: &[u8],
    now: Instant,
) -> Result<(), Error> {
    if let Some((failures, last)) = users::failures(tx, address).await? {
        let wait_seconds = wait(failures) - now.seconds_since(last);
        if wait_seconds > 0 {
            return Err(Error::TooMany { wait_seconds });
        }
    }
    Ok(())
}

fn wait(failures: i64) -> i64 {
    let counted = failures - FREE_FAILURES;
    if counted < 0 {
        return 0;
    }
    let doubled = FIRST_WAIT_SECONDS.saturating_mul(1 << counted.min(20));
    doubled.min(LONGEST_WAIT_SECONDS)
}

async fn succeeded(
    engine: &Engine,
    now: Instant,
    address: &[u8],
    user: &users::UserAccount,
) -> Result<(), Error> {
    let actor = Actor::Person {
        user_id: user.id,
        email: user.email.clone(),
        roles: user.roles.clone(),
    };
    in_tx!(engine.store, |tx| {
        users::forgive(&mut *tx, address).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        audit::record(
            tx,
            &mut leaves,
            &actor,
            now,
            "sign_in",
            &user.email,
            &json!({}),
        )
        .await?;
        leaves.write(tx).await
    })
}

/// Counts a try as failed until it succeeds, so that tries at the same moment do not all pass as the
/// first, and refuses those beyond the free ones.
pub(super) async fn count_try(engine: &Engine, now: Instant, address: &[u8]) -> Result<(), Error> {
    let (before, failures) = in_tx!(engine.store, |tx| {
        users::forget_failures(&mut *tx, now.plus_seconds(-MEMORY_SECONDS)).await?;
        let before = users::failures(&mut *tx, address).await?;
        let failures = users::fail(&mut *tx, address, now).await?;
        Ok((before, failures))
    })?;
    let last = before.map_or(now, |(_, last)| last);
    let wait_seconds = wait(failures - 1) - now.seconds_since(last);
    if wait_seconds > 0 {
        return Err(Error::TooMany { wait_seconds });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_from_the_fifth_failure_to_a_quarter_of_an_hour() {
        let waits: Vec<_> = [0, 4, 5, 6, 7, 11, 12, 1_000].map(wait).into();
        assert_eq!(waits, [0, 0, 10, 20, 40, 640, 900, 900]);
    }
}
