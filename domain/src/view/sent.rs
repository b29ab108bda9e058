//! What a person sent for approval, and what became of it.

use super::Amount;
use crate::time::Instant;
use serde::{Deserialize, Serialize};

/// What the URL asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SentFilter {
    /// Opaque cursor.
    pub after: String,
}

/// One's own decisions that need a second person, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentPage {
    /// This page of them.
    pub rows: Vec<SentRow>,
    /// Cursor of the next page.
    pub next: Option<String>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentRow {
    /// The case's public id.
    pub case_id: String,
    /// The case's kind.
    pub kind: String,
    /// The case's headline.
    pub title: String,
    /// Money concerned.
    pub amount: Option<Amount>,
    /// What was decided: the action's code.
    pub action: String,
    /// Why: the reason's code.
    pub reason: String,
    /// When.
    pub decided_at: Instant,
    /// AWAITING, APPLIED, REFUSED, VOID, REVERSED.
    pub state: String,
    /// Who answered, when and in which words, if somebody did.
    pub answer: Option<Answer>,
}

/// A second person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Who.
    pub by: String,
    /// When.
    pub at: Instant,
    /// In which words, or empty.
    pub words: String,
}
