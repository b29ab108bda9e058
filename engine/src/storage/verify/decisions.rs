//! Decisions and the rulings that they set.

use super::KEYS_AT_ONCE;
use crate::{
    all, scalar, statements,
    storage::{StorageError, decisions::StandingRuling, tx::Connected},
};

statements! {
    DECISIONS(2) = "verify/decisions.sql", may_scan "compares every decision";
    RULINGS(2) = "verify/rulings.sql", may_scan "compares every ruling";
    RULING_OF(1) = "verify/ruling_of.sql";
}

/// A decision, its answer, and how it stands.
#[derive(Debug, sqlx::FromRow)]
pub struct DecisionRow {
    /// Key in storage.
    pub id: i64,
    /// Public id.
    pub public_id: String,
    /// Of which case.
    pub case_id: i64,
    /// The case's version that was decided about.
    pub case_version: i64,
    /// JSON, with the rulings that it sets.
    pub params: String,
    /// Whether a second person is needed.
    pub needs_approval: i64,
    /// Who decided.
    pub decided_by: i64,
    /// The decision that it takes back.
    pub reverses: Option<i64>,
    /// A second person's answer.
    pub approved: Option<i64>,
    /// As it stands, as are all that follow.
    pub case_now: Option<i64>,
    pub state_now: Option<String>,
    pub decided_by_now: Option<i64>,
    /// The last version in its case's history.
    pub last_version: i64,
}

/// Decisions after a decision.
pub async fn decisions_after(
    mut tx: impl Connected,
    after: i64,
) -> Result<Vec<DecisionRow>, StorageError> {
    all!(&mut tx, DecisionRow, DECISIONS, after, KEYS_AT_ONCE)
}

/// Rulings as they stand, after a subject.
pub async fn rulings_after(
    mut tx: impl Connected,
    after: &str,
) -> Result<Vec<StandingRuling>, StorageError> {
    all!(&mut tx, StandingRuling, RULINGS, after, KEYS_AT_ONCE)
}

/// Whether any ruling about a subject stands.
pub async fn ruling_of(mut tx: impl Connected, subject: &str) -> Result<bool, StorageError> {
    Ok(scalar!(&mut tx, i64, RULING_OF, subject)? > 0)
}
