//! Who did and saw what, and whether the seal holds.

mod words;

pub use words::{did, facts};

use super::FieldProblem;
use crate::time::Instant;
use serde::{Deserialize, Serialize};

/// What the URL asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AuditFilter {
    /// Who, or empty.
    pub actor: String,
    /// What, or empty.
    pub action: String,
    /// A case, file, entry, user.
    pub subject: String,
    /// First day in UTC, `YYYY-MM-DD`.
    pub from: String,
    /// Last day in UTC, `YYYY-MM-DD`.
    pub to: String,
    /// Opaque cursor.
    pub after: String,
}

/// The audit page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    /// The filter as understood.
    pub filter: AuditFilter,
    /// Actions that occur, for the filter.
    pub actions: Vec<String>,
    /// This page of records, newest first.
    pub rows: Vec<AuditRow>,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// First and last day proposed for the export.
    pub export_from: String,
    /// See `export_from`.
    pub export_to: String,
    /// The last verification.
    pub verified: Option<Verification>,
    /// What was wrong with the last input.
    pub problems: Vec<FieldProblem>,
}

/// One record of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// When.
    pub at: Instant,
    /// Who.
    pub actor: String,
    /// What.
    pub action: String,
    /// About what: an id, an address, a name.
    pub subject: String,
    /// A file's name, where the subject is its id.
    pub about: String,
    /// Where that is, or empty.
    pub href: String,
    /// Old and new values, ids, hashes.
    pub detail: String,
}

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// When it ran.
    pub at: Instant,
    /// Who asked.
    pub by: String,
    /// Blocks recomputed.
    pub blocks: u64,
    /// Leaves recomputed.
    pub leaves: u64,
    /// Head: block number.
    pub head_block: i64,
    /// Head: hash in hex.
    pub head_hash: String,
    /// Each thing that was checked.
    pub checks: Vec<Check>,
}

impl Verification {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|c| c.holds)
    }
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What: `every block names the one before`.
    pub what: String,
    /// Whether it holds.
    pub holds: bool,
    /// The first record that breaks it, or how much was checked.
    pub detail: String,
}
