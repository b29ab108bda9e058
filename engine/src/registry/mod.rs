//! What payment workers ask before and after they call a provider.
//!
//! | File | Does |
//! |---|---|
//! | [`create_intent`] | registers what the business means to happen, once per key |
//! | [`claim_attempt`] | gives one of many the right to try, for a while |
//! | [`report_outcome`] | takes what came of an attempt; no report is lost |
//! | [`show_intent`] | tells how an intent stands |
//! | [`standing`] | an intent with its attempts, locked for one worker |
//! | [`request_digest`] | keeps the hash of the request that a worker is about to send |

mod claim_attempt;
mod create_intent;
mod report_outcome;
pub(crate) mod request_digest;
mod show_intent;
mod standing;

pub use claim_attempt::{ClaimRequest, claim_attempt};
pub use create_intent::create_intent;
pub use report_outcome::report_outcome;
pub use show_intent::{intents_by_reference, show_intent};

use crate::{Error, storage::registry::GivenAnswer};
use domain::{payments_file::RowError, registry::ClaimRefusal, view::registry::Current};
use sha2::{Digest, Sha256};

/// An answer, and whether it was given before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answered<T> {
    /// The thing was done now.
    Done(T),
    /// The same was asked before, and this was the answer.
    Again(T),
}

/// Why the registry refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No attempt may be claimed as things stand.
    #[error("{why}")]
    Claim {
        /// Why not.
        why: ClaimRefusal,
        /// How the intent stands.
        current: Current,
    },
    /// The claim was answered before, and what it gave is over.
    #[error(
        "this claim was answered before and its lease is over: read the intent and claim under a new claim_id"
    )]
    ClaimIsOver {
        /// How the intent stands.
        current: Current,
    },
    /// The same key came with other content.
    #[error(
        "{what} {key:?} was used for something else before: the same key must carry the same content"
    )]
    KeyReused {
        /// Which key: Idempotency-Key, claim_id.
        what: &'static str,
        /// As sent, shortened.
        key: String,
    },
}

impl Refusal {
    fn reused(what: &'static str, key: &str) -> Error {
        Error::from(Box::new(Self::KeyReused {
            what,
            key: key.chars().take(80).collect(),
        }))
    }
}

impl<T> Answered<T> {
    /// The answer itself.
    pub fn into_inner(self) -> T {
        match self {
            Self::Done(answer) | Self::Again(answer) => answer,
        }
    }
}

/// What was asked, as a hash.
fn hash_of<T: serde::Serialize>(asked: &T) -> Result<Vec<u8>, Error> {
    let text = crate::storage::stored::to_json(asked)?;
    Ok(Sha256::digest(text.as_bytes()).to_vec())
}

/// An answer to keep.
fn given<T: serde::Serialize>(input_hash: Vec<u8>, answer: &T) -> Result<GivenAnswer, Error> {
    Ok(GivenAnswer {
        input_hash,
        answer: crate::storage::stored::to_json(answer)?,
    })
}

/// An answer that was kept.
fn read<T: serde::de::DeserializeOwned>(key: &str, given: &GivenAnswer) -> Result<T, Error> {
    let answer = crate::storage::stored::json("registry_answer", "answer", key, &given.answer);
    Ok(answer?)
}

fn invalid(error: RowError) -> Error {
    Error::invalid(error.column, error.problem)
}

/// A key of the caller's: not empty, not longer than an id, no control characters.
fn checked_key(what: &'static str, key: &str) -> Result<(), Error> {
    let long = key.chars().count() > domain::payments_file::LONGEST_ID;
    if key.is_empty() || long || !domain::one_line::is_one_line(key) {
        return Err(Error::invalid(
            what,
            format!(
                "1 to {} characters are needed, none of them a control character",
                domain::payments_file::LONGEST_ID
            ),
        ));
    }
    Ok(())
}
