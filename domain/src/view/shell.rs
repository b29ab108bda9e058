//! What every page shows around its own content.

use crate::{
    actor::{Permission, Role},
    time::Instant,
    view::Link,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The frame of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shell {
    /// Path and query of this page: marks the navigation, and is where sign-in returns to.
    pub path: String,
    /// When the page was made; ages and due times count from here.
    pub now: Instant,
    /// Who is signed in.
    pub person: Option<Person>,
    /// What waits, for the navigation.
    pub counts: NavCounts,
    /// The newest sealed block, if there is one and the person may read.
    pub head: Option<LedgerHead>,
    /// What the last request did.
    pub flash: Option<Flash>,
}

/// A signed-in person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Key in storage.
    pub user_id: i64,
    /// Their address.
    pub email: String,
    /// Their roles.
    pub roles: BTreeSet<Role>,
}

impl Person {
    /// Whether one of their roles grants a permission: decides what a page offers, never what is
    /// allowed.
    pub fn may(&self, permission: Permission) -> bool {
        self.roles.iter().any(|role| role.grants(permission))
    }
}

impl Shell {
    /// Whether the signed-in person has a permission.
    pub fn may(&self, permission: Permission) -> bool {
        self.person.as_ref().is_some_and(|p| p.may(permission))
    }

    /// The path without its query.
    pub fn path_only(&self) -> &str {
        self.path.split('?').next().unwrap_or("/")
    }
}

/// Numbers beside the words of the navigation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NavCounts {
    /// Cases that are not resolved and not waiting.
    pub open_cases: u64,
    /// Decisions and acceptances of files to which this person could be the second.
    pub to_approve: u64,
    /// Files that wait for a person.
    pub held_files: u64,
}

/// The newest block of the seal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerHead {
    /// Its number.
    pub block: i64,
    /// Its hash in hex.
    pub hash: String,
    /// When it was sealed.
    pub sealed_at: Instant,
}

/// What the last request did, shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    /// How it went.
    pub tone: Tone,
    /// A sentence.
    pub text: String,
    /// Where to look at it or take it back.
    pub link: Option<Link>,
    /// The single key that follows the link, or empty.
    #[serde(default)]
    pub key: String,
}

/// How something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// It was done.
    Done,
    /// Something worth knowing.
    Note,
    /// It was not done.
    Refused,
}
