//! Checks address and password. Neither the answer nor its time tells whether an address is known,
//! and each failure in a row makes the next try wait longer, known address or not.
//!
//! Whoever guesses must not be able to shut the person out. So failures are counted where they come
//! from: a browser in which this person signed in before has a count of its own, which nobody else
//! can touch; any other place counts by its network address; and over all other places together,
//! after many failures, tries are let through one at a time with a short wait between them.

use super::{
    User,
    known_device::{self, Device},
    password,
};
use crate::{
    Engine, Error, audit, in_tx,
    seal::{Leaves, instance_secret, secret},
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
/// Failures from all unknown places together that cost nothing.
const FREE_FAILURES_OF_ALL: i64 = 50;
/// Seconds between tries from unknown places after that.
const WAIT_SECONDS_OF_ALL: i64 = 30;
/// Failures are forgotten after this time.
const MEMORY_SECONDS: i64 = 24 * 60 * 60;

/// Where a try to sign in comes from, as far as that is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The network address, or empty.
    pub network: String,
    /// What the browser kept when somebody signed in with it, or empty.
    pub device: String,
}

/// Somebody who signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// Who.
    pub user: User,
    /// What the browser should keep, so that it is known again.
    pub device: String,
}

/// The user with this address and password; none where they do not belong together or the user is
/// shut out.
pub async fn sign_in(
    engine: &Engine,
    email: &str,
    password: &str,
    place: &Place,
) -> Result<Option<SignedIn>, Error> {
    let now = engine.now();
    let email = email.trim().to_lowercase();
    let address = address_of(&email);
    let mut reader = engine.store.read().await?;
    let counts = Counts::of(&mut reader, &address, place, now).await?;
    counts.check(&mut reader, now).await?;
    let found = users::by_email(&mut reader, &email).await?;
    drop(reader);
    counts.count(engine, now).await?;
    let hash = found.as_ref().map(|u| u.password_hash.as_str());
    let right = password::verify(password, hash).await?;
    if let Some(user) = found.filter(|u| right && !u.disabled) {
        let device = succeeded(engine, now, &counts.own, &address, &user).await?;
        return Ok(Some(SignedIn {
            user: user.into(),
            device,
        }));
    }
    Ok(None)
}

/// The hash that stands for a mail address.
pub(super) fn address_of(email: &str) -> [u8; 32] {
    Sha256::digest(email.as_bytes()).into()
}

/// Under which counts a try to sign in falls.
pub(super) struct Counts {
    /// That of the place alone.
    own: [u8; 32],
    /// That of all unknown places together; none for a known browser or a signed-in person.
    all: Option<[u8; 32]>,
}

impl Counts {
    async fn of(
        reader: impl Connected,
        address: &[u8; 32],
        place: &Place,
        now: Instant,
    ) -> Result<Self, Error> {
        let secret = secret::known(reader).await?;
        let known = secret.and_then(|s| Device::known(&s, address, &place.device, now));
        Ok(match known {
            Some(device) => Self {
                own: counted(b"device", address, device.name.as_bytes()),
                all: None,
            },
            None => Self {
                own: counted(b"network", address, place.network.as_bytes()),
                all: Some(counted(b"all", address, b"")),
            },
        })
    }

    /// For somebody who is signed in already and gives their password again.
    pub(super) fn signed_in(address: &[u8; 32]) -> Self {
        Self {
            own: counted(b"signed in", address, b""),
            all: None,
        }
    }

    /// Refuses while this place, or all of them, must wait.
    pub(super) async fn check(&self, mut tx: impl Connected, now: Instant) -> Result<(), Error> {
        if let Some((failures, last)) = users::failures(&mut tx, &self.own).await? {
            refuse_for(wait(failures) - now.seconds_since(last))?;
        }
        if let Some(all) = &self.all
            && let Some((failures, last)) = users::failures(&mut tx, all).await?
        {
            refuse_for(wait_of_all(failures) - now.seconds_since(last))?;
        }
        Ok(())
    }

    /// Counts a try as failed until it succeeds, so that tries at the same moment do not all pass as
    /// the first, and refuses those beyond the free ones.
    pub(super) async fn count(&self, engine: &Engine, now: Instant) -> Result<(), Error> {
        let waits = in_tx!(engine.store, |tx| {
            users::forget_failures(&mut *tx, now.plus_seconds(-MEMORY_SECONDS)).await?;
            let mut waits = count_one(&mut *tx, &self.own, now, wait).await?;
            if let Some(all) = &self.all {
                waits = waits.max(count_one(&mut *tx, all, now, wait_of_all).await?);
            }
            Ok(waits)
        })?;
        refuse_for(waits)
    }

    /// Forgets the failures of the place.
    pub(super) async fn forgive(&self, tx: impl Connected) -> Result<(), Error> {
        Ok(users::forgive(tx, &self.own).await?)
    }
}

/// The name of a count: what kind, for which mail address, where.
fn counted(kind: &[u8], address: &[u8; 32], place: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [kind, address.as_slice(), place] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Counts a failure and says for how long this one should have waited.
async fn count_one(
    mut tx: impl Connected,
    count: &[u8],
    now: Instant,
    wait: fn(i64) -> i64,
) -> Result<i64, Error> {
    let before = users::failures(&mut tx, count).await?;
    let failures = users::fail(&mut tx, count, now).await?;
    let last = before.map_or(now, |(_, last)| last);
    Ok(wait(failures - 1) - now.seconds_since(last))
}

fn refuse_for(wait_seconds: i64) -> Result<(), Error> {
    if wait_seconds > 0 {
        return Err(Error::TooMany { wait_seconds });
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

const fn wait_of_all(failures: i64) -> i64 {
    if failures < FREE_FAILURES_OF_ALL {
        0
    } else {
        WAIT_SECONDS_OF_ALL
    }
}

async fn succeeded(
    engine: &Engine,
    now: Instant,
    count: &[u8],
    address: &[u8; 32],
    user: &users::UserAccount,
) -> Result<String, Error> {
    let actor = Actor::Person {
        user_id: user.id,
        email: user.email.clone(),
        roles: user.roles.clone(),
    };
    in_tx!(engine.store, |tx| {
        users::forgive(&mut *tx, count).await?;
        let secret = instance_secret(tx, &engine.sources).await?;
        let device = known_device::make(&secret, address, engine.sources.ids.secret()?, now);
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
        leaves.write(tx).await?;
        Ok(device)
    })
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
