//! The way in.

use serde::{Deserialize, Serialize};

/// The sign-in page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    /// What was typed, kept after a refusal.
    pub email: String,
    /// Where to go afterwards: a path of this site, or empty.
    pub next: String,
    /// Why the last try failed, without telling which of the two was wrong.
    pub problem: String,
    /// Nobody exists yet: the page points to the set-up link instead.
    pub nobody_yet: bool,
}
