//! The first run: the administrator, and on the same page the first analyst, approver and auditor.

use super::FieldProblem;
use serde::{Deserialize, Serialize};

/// The set-up page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetUp {
    /// The one-time token of the link.
    pub token: String,
    /// What was typed, kept after a refusal.
    pub admin_email: String,
    /// See `admin_email`; may stay empty.
    pub analyst_email: String,
    /// See `admin_email`; may stay empty.
    pub approver_email: String,
    /// See `admin_email`; may stay empty.
    pub auditor_email: String,
    /// The fewest characters a password has.
    pub password_min: u32,
    /// What was wrong.
    pub problems: Vec<FieldProblem>,
}
