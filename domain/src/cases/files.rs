//! Cases of a whole file: rows that could not be read, rows of unknown kind.

use super::wanted::WantedCase;
use crate::{matching::LineName, money::Money};

/// Rows of one unknown kind in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRows {
    /// The provider's own word.
    pub source_kind: String,
    /// How many of them no decision has placed.
    pub rows: u64,
    /// Their net.
    pub net: Money,
    /// A few of their names.
    pub examples: Vec<LineName>,
}

/// What is known of a file's odd rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStanding {
    /// SHA-256 in hex.
    pub sha256: String,
    /// Its name.
    pub name: String,
    /// How many rows could not be read.
    pub rejected: u64,
    /// The first of them: line number and message.
    pub rejected_examples: Vec<(u64, String)>,
    /// Whether a decision accepted the file without them.
    pub accepted: bool,
    /// Whether the file waits for that.
    pub held: bool,
    /// Rows of unknown kind, by the provider's word.
    pub unknown: Vec<UnknownRows>,
}

/// The cases of a file.
pub fn file_cases(_account: i64, _file: &FileStanding) -> Vec<WantedCase> {
    Vec::new()
}
