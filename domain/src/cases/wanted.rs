//! What a case is about and shows.

use super::kinds::CaseKind;
use crate::{
    matching::{Candidate, FieldCheck, LineName},
    money::{Currency, Money},
    payment::Outcome,
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a case is about, by natural ids. With the kind it makes a case unique.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A line.
    Line(LineName),
    /// An intent, by public id.
    Intent(String),
    /// An intent's refunds, by public id.
    IntentRefunds(String),
    /// An intent's disputes, by public id.
    IntentDisputes(String),
    /// An attempt, by public id.
    Attempt(String),
    /// A dispute, as `<account name>:<dispute id>`.
    Dispute(String),
    /// A batch, as `<account name>:<provider batch id>:<currency>`.
    Batch(String),
    /// A file, by SHA-256 in hex.
    File(String),
    /// Rows of a file that belong to no batch, in one currency; the file by SHA-256 in hex.
    RowsOfFile(String, Currency),
    /// An expected period, as `<account name>:<day>`.
    Period(String),
    /// Payments of an account as a whole, by its name.
    Payments(String),
}

/// A case that should be open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedCase {
    /// What about.
    pub kind: CaseKind,
    /// About what; [`Subject`] as text.
    pub subject: String,
    /// Key of the provider account.
    pub account: i64,
    /// Money at risk, positive, where any is known.
    pub at_risk: Option<Money>,
    /// Key of the intent concerned.
    pub intent: Option<i64>,
    /// Key of the attempt concerned.
    pub attempt: Option<i64>,
    /// Key of the line concerned: the first of several.
    pub line: Option<i64>,
    /// Open it only from this time on; before that it is expected and no break.
    pub not_before: Option<crate::time::Instant>,
    /// What it shows. The evidence version counts its changes.
    pub facts: CaseFacts,
}

/// A line as a case shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseLine {
    /// Its natural name.
    pub name: LineName,
    /// The row kind's code.
    pub kind: crate::line::RowKind,
    /// What the payer saw.
    pub presented: Money,
    /// What moved, before fees.
    pub gross: Money,
    /// When it happened or settled, or empty.
    pub at: String,
    /// Its provider payment id, or empty.
    pub provider_payment_id: String,
    /// Its refund or dispute id, or empty.
    pub modification_id: String,
    /// Its reference, or empty.
    pub reference: String,
    /// Who paid or was paid, or empty.
    pub counterparty: String,
    /// Public id of the attempt that it is counted with, or empty.
    #[serde(default)]
    pub attempt: String,
    /// Whether it holds the match (of several, those that do not are what the case is about).
    pub matched: bool,
}

/// An attempt as a case shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseAttempt {
    /// The intent's public id.
    pub intent: String,
    /// The attempt's public id.
    pub attempt: String,
    /// From 1.
    pub number: i64,
    /// What reports say.
    pub reported: Outcome,
    /// What all evidence says.
    pub outcome: Outcome,
    /// Provider ids, sorted.
    pub provider_ids: Vec<String>,
}

/// One step of a running difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningStep {
    /// What it is: `expected`, or a line's natural name.
    pub what: String,
    /// Minor units of this step.
    pub amount: i64,
    /// What is left after it; zero ties.
    pub left: i64,
}

/// What a case shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaseFacts {
    /// Why it is a case, in one or two sentences.
    pub sentence: String,
    /// What would settle it.
    pub settled_by: Vec<String>,
    /// The intent's public id, or empty.
    pub intent: String,
    /// The attempt's public id, or empty.
    pub attempt: String,
    /// What the intent meant, where one is certain.
    pub expected: Option<Money>,
    /// Both sides, field by field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<FieldCheck>,
    /// The lines concerned, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<CaseLine>,
    /// The attempts concerned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<CaseAttempt>,
    /// Who could have been it, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// How many could have been it.
    #[serde(skip_serializing_if = "is_zero")]
    pub candidates_total: u32,
    /// The running difference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<RunningStep>,
    /// Intent's amount minus what came, where amounts are the matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Money>,
    /// Further named figures, such as a batch's declared and summed totals, or a file's counts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<(String, String)>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it with a reference
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(name) => write!(f, "line:{name}"),
            Self::Intent(id) => write!(f, "intent:{id}"),
            Self::IntentRefunds(id) => write!(f, "refunds:{id}"),
            Self::IntentDisputes(id) => write!(f, "disputes:{id}"),
            Self::Attempt(id) => write!(f, "attempt:{id}"),
            Self::Dispute(id) => write!(f, "dispute:{id}"),
            Self::Batch(id) => write!(f, "batch:{id}"),
            Self::File(hash) => write!(f, "file:{hash}"),
            Self::RowsOfFile(hash, currency) => write!(f, "rows:{hash}:{currency}"),
            Self::Period(id) => write!(f, "period:{id}"),
            Self::Payments(account) => write!(f, "payments:{account}"),
        }
    }
}
