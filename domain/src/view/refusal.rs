//! Why a request was not done, and what to do next.

use super::Link;
use serde::{Deserialize, Serialize};

/// A page instead of the one asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// HTTP status: 400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503.
    pub status: u16,
    /// What happened: a sentence without jargon; empty for the status's own.
    pub what: String,
    /// What to do: a sentence; empty for the status's own.
    pub remedy: String,
    /// Where to go on.
    pub links: Vec<Link>,
    /// The request's id, to tell whoever runs the server; or empty.
    pub request_id: String,
}

impl Refusal {
    /// A refusal with the status's own words.
    pub fn new(status: u16) -> Self {
        Self {
            status,
            what: String::new(),
            remedy: String::new(),
            links: Vec::new(),
            request_id: String::new(),
        }
    }

    /// With what happened in words.
    #[must_use]
    pub fn saying(mut self, what: impl Into<String>) -> Self {
        self.what = what.into();
        self
    }
}
