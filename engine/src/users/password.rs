//! What a password must be, and how it is hashed: argon2id, on threads that may block.

use crate::Error;
use argon2::{
    Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version,
    password_hash::phc::PasswordHash,
};
use tokio::sync::Semaphore;

/// The fewest characters of a password.
pub const PASSWORD_MIN: u32 = 12;

/// The most bytes: more only costs time.
const LONGEST: usize = 1_000;

/// Each hash takes 19 MiB and a core for 20 ms; more at a time would only crowd others out.
static TURNS: Semaphore = Semaphore::const_new(4);

/// Refuses a password that is too short or too long.
pub(super) fn check(field: &'static str, password: &str) -> Result<(), Error> {
    let long_enough = password.chars().nth(PASSWORD_MIN as usize - 1).is_some();
    if long_enough && password.len() <= LONGEST {
        Ok(())
    } else {
        Err(Error::invalid(
            field,
            format!(
                "a password has at least {PASSWORD_MIN} characters and at most {LONGEST} bytes"
            ),
        ))
    }
}

/// Hashes a password with a random salt.
pub(super) async fn hash(password: &str) -> Result<String, Error> {
    let password = password.to_owned();
    on_thread(move || {
        let hash = argon2()?
            .hash_password(password.as_bytes())
            .map_err(failed)?;
        Ok(hash.to_string())
    })
    .await
}

/// Whether a password has this hash. Without a hash the answer is no, after the same work, so that
/// the time does not tell whether an address is known.
pub(super) async fn verify(password: &str, hash: Option<&str>) -> Result<bool, Error> {
    let password = password.chars().take(LONGEST).collect::<String>();
    let Some(hash) = hash.map(str::to_owned) else {
        self::hash(&password).await?;
        return Ok(false);
    };
    on_thread(move || {
        let parsed = PasswordHash::new(&hash).map_err(failed)?;
        Ok(argon2()?
            .verify_password(password.as_bytes(), &parsed)
            .is_ok())
    })
    .await
}

/// RFC 9106's and OWASP's parameters for interactive sign-in: 19 MiB, two passes, one lane.
fn argon2() -> Result<Argon2<'static>, Error> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(failed)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let _turn = TURNS.acquire().await.map_err(failed)?;
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("password hashing failed: {error}"))
}
