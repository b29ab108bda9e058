//! Everything that is refused or broken, in one shape: made where it happens, shown in one place.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::{registry::ClaimRefusal, view::Link};
use engine::{Error, registry::Refusal, storage::StorageError};
use std::ops::Deref;

/// A refusal or a failure. Small, so that it can stand in every result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure(Box<Told>);

/// What a person, or a program, is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The answer's status.
    pub status: StatusCode,
    /// The stable name of the kind of failure, for programs: `version_conflict`.
    pub code: &'static str,
    /// What happened, as a sentence; empty for the status's own.
    pub message: String,
    /// Where to go on.
    pub links: Vec<Link>,
    /// What more a program needs, such as the current state.
    pub current: Option<serde_json::Value>,
    /// How many seconds to wait before another try.
    pub retry_after_seconds: Option<i64>,
}

impl Failure {
    /// A failure whose kind is that of its status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self(Box::new(Told {
            status,
            code: code_of(status),
            message: message.into(),
            links: Vec::new(),
            current: None,
            retry_after_seconds: None,
        }))
    }

    /// What a bare status says, for answers that no handler made.
    pub fn of_status(status: StatusCode) -> Self {
        Self::new(status, "")
    }

    /// Nothing is there.
    pub fn not_found(what: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            format!("There is no {what} at this address."),
        )
    }

    /// Something that only the operator can mend: the details go to the log, not to the page.
    pub fn broken(error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "a request failed");
        Self::of_status(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// What the registry refuses, with how the intent stands.
    fn of_registry(refusal: &Refusal, message: String) -> Self {
        let conflict = |code, current: &domain::view::registry::Current| {
            let current = serde_json::json!({ "state": current.state, "version": current.version });
            Self::new(StatusCode::CONFLICT, message.clone())
                .with_code(code)
                .with_current(current)
        };
        match refusal {
            Refusal::Claim {
                why: ClaimRefusal::Version { .. },
                current,
            } => conflict("version_conflict", current),
            Refusal::Claim { current, .. } | Refusal::ClaimIsOver { current } => {
                conflict("not_claimable", current)
            }
            Refusal::KeyReused { .. } => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, message).with_code("key_reused")
            }
        }
    }

    /// With a way on.
    #[must_use]
    pub fn with_link(mut self, link: Link) -> Self {
        self.0.links.push(link);
        self
    }

    /// With the stable name of its kind, where that is not the status's own.
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.0.code = code;
        self
    }

    /// With how things stand, for a program that has to look again.
    #[must_use]
    pub fn with_current(mut self, current: serde_json::Value) -> Self {
        self.0.current = Some(current);
        self
    }

    /// With a time to wait.
    #[must_use]
    pub fn after_seconds(mut self, seconds: i64) -> Self {
        self.0.retry_after_seconds = Some(seconds);
        self
    }
}

impl Deref for Failure {
    type Target = Told;

    fn deref(&self) -> &Told {
        &self.0
    }
}

impl From<Error> for Failure {
    /// The one place where refusals of use cases get their status.
    fn from(error: Error) -> Self {
        let message = sentence(&error.to_string());
        match error {
            Error::Forbidden(_) => Self::new(StatusCode::FORBIDDEN, message),
            Error::NotFound { .. } => Self::new(StatusCode::NOT_FOUND, message),
            Error::Invalid { .. } => Self::new(StatusCode::UNPROCESSABLE_ENTITY, message),
            Error::Conflict(_) => Self::new(StatusCode::CONFLICT, message),
            Error::Stale(stale) => Self::new(StatusCode::CONFLICT, message)
                .with_code("version_conflict")
                .with_current(serde_json::json!({ "state": stale.state, "version": stale.now })),
            Error::Refused(_) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, message).with_code("refused")
            }
            Error::Registry(refusal) => Self::of_registry(&refusal, message),
            Error::TooMany { wait_seconds } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, message).after_seconds(wait_seconds)
            }
            Error::Storage(StorageError::ZeroCharacter { .. }) => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "A text holds a character with the number zero, which no text of ours can.",
            ),
            error if error.is_retryable() => {
                tracing::warn!(%error, "the database was busy for too long");
                Self::of_status(StatusCode::SERVICE_UNAVAILABLE)
            }
            error => Self::broken(&error),
        }
    }
}

impl IntoResponse for Failure {
    /// Only marks the answer; `failure_page` makes the page or the problem document of it.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// A message as a sentence: our errors begin in lower case, as is the custom for them.
pub fn sentence(message: &str) -> String {
    let mut rest = message.chars();
    let Some(first) = rest.next() else {
        return String::new();
    };
    let end = if message.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    format!("{}{}{end}", first.to_uppercase(), rest.as_str())
}

fn code_of(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "bad_request",
        StatusCode::UNAUTHORIZED => "unauthorized",
        StatusCode::FORBIDDEN => "forbidden",
        StatusCode::NOT_FOUND => "not_found",
        StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
        StatusCode::CONFLICT => "conflict",
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
        StatusCode::UNPROCESSABLE_ENTITY => "invalid",
        StatusCode::TOO_MANY_REQUESTS => "too_many_requests",
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => "unavailable",
        _ => "internal",
    }
}
