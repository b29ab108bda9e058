//! Who is signed in: kept in the database under the hash of what the cookie holds.
//!
//! | Module | Answers |
//! |---|---|
//! | [`store`] | where sessions are kept |
//! | [`cookie`] | what the browser holds |
//! | [`device`] | where somebody tries to sign in from |
//! | [`flash`] | what the last request did, shown once |

pub mod cookie;
pub mod device;
pub mod flash;
pub mod store;

use domain::{actor::Actor, time::Instant, view::shell::Person};
use engine::Engine;
use serde::{Deserialize, Serialize};
use tower_sessions::{Session, session::Record};

use super::failure::Failure;

/// However busy, a session ends after this time.
const LONGEST_SECONDS: i64 = 12 * 60 * 60;

/// Use is noted at most this often, so that reading pages does not write to the database each time.
const NOTE_USE_SECONDS: i64 = 60;

const KEY: &str = "signed_in";

/// What the session says of the person. Times are the server's: the cookie's own are not trusted.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct SignedIn {
    user_id: i64,
    since_micros: i64,
    used_micros: i64,
}

/// Signs a person in under a new id, so that an id known before sign-in is worth nothing.
pub async fn begin(session: &Session, user_id: i64, now: Instant) -> Result<(), Failure> {
    session.cycle_id().await.map_err(|e| Failure::broken(&e))?;
    let signed_in = SignedIn {
        user_id,
        since_micros: now.micros(),
        used_micros: now.micros(),
    };
    session
        .insert(KEY, signed_in)
        .await
        .map_err(|e| Failure::broken(&e))
}

/// Ends the session, wherever it is open.
pub async fn end(session: &Session) -> Result<(), Failure> {
    session.flush().await.map_err(|e| Failure::broken(&e))
}

/// Who is signed in, with the roles that hold now: nobody if the session is too old or unused for
/// too long, or if the person is shut out.
pub async fn person(engine: &Engine, session: &Session) -> Result<Option<Person>, Failure> {
    let found = session.get::<SignedIn>(KEY).await;
    let Some(mut signed_in) = found.map_err(|e| Failure::broken(&e))? else {
        return Ok(None);
    };
    let now = engine.now();
    let since = Instant::from_micros(signed_in.since_micros);
    let used = Instant::from_micros(signed_in.used_micros);
    let idle_seconds = now.seconds_since(used);
    if now.seconds_since(since) >= LONGEST_SECONDS || idle_seconds >= cookie::IDLE_SECONDS {
        end(session).await?;
        return Ok(None);
    }
    let Some(user) = engine::users::find(engine, signed_in.user_id).await? else {
        end(session).await?;
        return Ok(None);
    };
    if user.disabled {
        end(session).await?;
        return Ok(None);
    }
    if idle_seconds >= NOTE_USE_SECONDS {
        signed_in.used_micros = now.micros();
        session
            .insert(KEY, signed_in)
            .await
            .map_err(|e| Failure::broken(&e))?;
    }
    Ok(Some(Person {
        user_id: user.id,
        email: user.email,
        roles: user.roles,
    }))
}

/// Whose session it is, so that all of theirs can be ended; 0 before sign-in.
fn user_of(record: &Record) -> i64 {
    record
        .data
        .get(KEY)
        .and_then(|value| SignedIn::deserialize(value).ok())
        .map_or(0, |signed_in| signed_in.user_id)
}

/// The person as the use cases know them.
pub fn actor(person: &Person) -> Actor {
    Actor::Person {
        user_id: person.user_id,
        email: person.email.clone(),
        roles: person.roles.clone(),
    }
}
