//! What a use case answers when it does not do what was asked.

use crate::{ids::NoRandomness, storage::StorageError};
use domain::actor::Forbidden;

/// A refusal or a failure, with enough to tell a person what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The actor lacks a right.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// What the request names does not exist.
    #[error("there is no {what} {id:?}")]
    NotFound {
        /// What kind of thing, such as `user`.
        what: &'static str,
        /// How the request named it, shortened.
        id: String,
    },
    /// A value that will not do.
    #[error("{field}: {problem}")]
    Invalid {
        /// Which field of the request.
        field: &'static str,
        /// What is wrong and what would do.
        problem: String,
    },
    /// The request contradicts how things stand.
    #[error("{0}")]
    Conflict(String),
    /// Somebody else moved the case in between.
    #[error(transparent)]
    Stale(#[from] Box<Stale>),
    /// A decision that the rules refuse.
    #[error(transparent)]
    Refused(#[from] domain::cases::Refusal),
    /// The registry refuses, and says how the intent stands.
    #[error(transparent)]
    Registry(#[from] Box<crate::registry::Refusal>),
    /// Asked too often; later it may work.
    #[error("too many attempts; try again in {wait_seconds} seconds")]
    TooMany {
        /// How long to wait.
        wait_seconds: i64,
    },
    /// The lease on a provider account ran out while its holder paused, and another process took it:
    /// the work goes on there.
    #[error("another process took over the work on this provider account")]
    LeaseLost,
    /// The database failed or holds what it must not.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// No secret could be made.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    /// Something inside failed that no request can cause.
    #[error("{0}")]
    Internal(String),
}

/// A decision on a case that changed since it was looked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "case {case} changed while you looked at it: {by} {what} on {at} (you saw version {seen}, now it is {now}); look again before deciding"
)]
pub struct Stale {
    /// The case's public id.
    pub case: String,
    /// The version that the request named.
    pub seen: i64,
    /// The version that stands.
    pub now: i64,
    /// The state that stands.
    pub state: String,
    /// Who moved it last.
    pub by: String,
    /// What they did, such as `decided “Write off”`.
    pub what: String,
    /// When.
    pub at: domain::time::Instant,
}

impl Error {
    /// A missing thing, its name shortened.
    pub fn not_found(what: &'static str, id: impl std::fmt::Display) -> Self {
        Self::NotFound {
            what,
            id: id.to_string().chars().take(80).collect(),
        }
    }

    /// A value that will not do.
    pub fn invalid(field: &'static str, problem: impl Into<String>) -> Self {
        Self::Invalid {
            field,
            problem: problem.into(),
        }
    }
}

impl Error {
    /// Whether the same work, begun again, may succeed: true after a serialisation failure, a
    /// deadlock or a busy database.
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::Storage(StorageError::Busy { .. }))
    }
}
