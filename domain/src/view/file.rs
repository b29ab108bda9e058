//! One settlement file: what was read, whether it ties, and what was not understood.

use super::{
    Amount, FieldProblem, Link,
    amount::counted,
    case::{ReasonChoice, TypedDecision},
    files::FileRow,
};
use crate::{formats::RowReason, line::RowKind, time::Instant};
use serde::{Deserialize, Serialize};

/// What goes with control totals in which rows of a file stand twice.
pub fn counted_once(same_rows: u64) -> String {
    let rows = counted(same_rows, "row repeats", "rows repeat");
    let counts = if same_rows == 1 { "counts" } else { "count" };
    format!(
        "{rows} a row above, with the same id and content, and {counts} once; these totals add up every row as it stands."
    )
}

/// The page of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePage {
    /// The file.
    pub file: FileRow,
    /// SHA-256 of its bytes in hex.
    pub sha256: String,
    /// How its text is encoded, or empty.
    pub encoding: String,
    /// Lines by verdict.
    pub verdicts: VerdictCounts,
    /// Rows by kind.
    pub kinds: Vec<KindCount>,
    /// Control totals by batch and currency, at most a hundred.
    pub totals: Vec<ControlTotal>,
    /// How many there are in all.
    pub totals_count: u64,
    /// Rows that the totals add up although a row above says the same, with the same id: they count once.
    pub same_rows: u64,
    /// The first rejected rows, at most fifty.
    pub rejected: Vec<RejectedRowView>,
    /// Why it is held.
    pub held: Vec<HeldReason>,
    /// The form to accept it as it is, where that is possible for this person.
    pub accept: Option<AcceptForm>,
    /// The acceptance that waits for a second person.
    pub awaiting: Option<AwaitingAcceptance>,
    /// The form to put it away, or to hold it again, where this person may.
    pub put_away: Option<PutAwayForm>,
    /// The form to take it back, where this person may.
    pub take_back: Option<TakeBackForm>,
    /// Why the work on it stopped, or empty.
    pub error: String,
    /// What happened to it, newest first.
    pub events: Vec<FileEvent>,
    /// Where its figures lead: cases, entries.
    pub links: Vec<Link>,
    /// What was wrong with the last input.
    pub problems: Vec<FieldProblem>,
}

/// Lines by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictCounts {
    /// Tied to an attempt.
    pub matched: u64,
    /// A person is asked to confirm.
    pub proposed: u64,
    /// Evidence contradicts, or cannot choose.
    pub conflict: u64,
    /// Nothing explains them.
    pub unmatched: u64,
    /// Not payments of ours.
    pub accounted: u64,
    /// Not judged yet.
    pub pending: u64,
}

/// Rows of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindCount {
    /// The kind.
    pub kind: RowKind,
    /// How many.
    pub rows: u64,
}

/// What one batch declares and what its rows come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlTotal {
    /// The provider's batch id, or empty.
    pub batch_id: String,
    /// Rows in it.
    pub rows: u64,
    /// Sum of gross.
    pub gross: Amount,
    /// Sum of fees.
    pub fee: Amount,
    /// Sum of net.
    pub net: Amount,
    /// What is declared; nothing declared never ties.
    pub declared: Option<Amount>,
    /// Declared less net.
    pub residual: Option<Amount>,
    /// What becomes of a residual: a batch may go on in another file.
    pub goes_on: Option<GoesOn>,
}

/// What becomes of a batch that does not tie within one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoesOn {
    /// It ties with rows of other files, or what was left was accepted.
    Ties,
    /// Its rest may still come; from then on it is a case.
    Until(Instant),
    /// It is a case, by its id.
    Case(String),
    /// It was to be complete by then; the next check opens its case.
    Since(Instant),
}

impl ControlTotal {
    /// Whether it does not tie and no case says so yet.
    pub const fn waits(&self) -> bool {
        matches!(self.goes_on, Some(GoesOn::Until(_) | GoesOn::Since(_)))
    }

    /// Whether it ties; nothing where nothing is declared.
    pub fn ties(&self) -> Option<bool> {
        self.residual.map(Amount::is_zero)
    }
}

/// A row that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedRowView {
    /// Physical line, the first being 1.
    pub line_no: u64,
    /// The provider's row id, or empty.
    pub row_id: String,
    /// The column as the file writes it, or empty.
    pub column: String,
    /// The value, shortened and masked.
    pub value: String,
    /// What is wrong.
    pub reason: RowReason,
    /// What is wrong and what would do.
    pub message: String,
}

/// Why a file is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldReason {
    /// Stable code.
    pub code: String,
    /// A sentence.
    pub text: String,
    /// What would release it: a sentence.
    pub remedy: String,
}

/// The form to accept a held file as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptForm {
    /// A fresh id, so that a double click is one acceptance.
    pub decision_id: String,
    /// The version of its case, where it has one.
    pub expected_version: i64,
    /// Reason codes.
    pub reasons: Vec<ReasonChoice>,
    /// Whether a second person must agree.
    pub needs_approval: bool,
    /// What accepting does: a sentence.
    pub explains: String,
    /// What was typed, after a refusal.
    pub typed: TypedDecision,
}

/// The form to put a held file away, or to hold one again that was put away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutAwayForm {
    /// Whether it was put away, and may be held again.
    pub is_away: bool,
    /// Reason codes.
    pub reasons: Vec<ReasonChoice>,
    /// What was typed, after a refusal.
    pub typed: TypedDecision,
}

/// The form to take a used file back out of the books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakeBackForm {
    /// Who wants it already, where somebody does.
    pub asked: Option<AskedBack>,
    /// Whether this person may agree to that.
    pub may_agree: bool,
    /// Reason codes for taking it back.
    pub reasons: Vec<ReasonChoice>,
    /// Reason codes for keeping it.
    pub reasons_to_keep: Vec<ReasonChoice>,
    /// What was typed to take it back, after a refusal.
    pub typed: TypedDecision,
    /// What was typed to keep it, after a refusal.
    pub typed_to_keep: TypedDecision,
}

/// Somebody's word that a file is to be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedBack {
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Instant,
}

/// An acceptance that waits for a second person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwaitingAcceptance {
    /// The case where it can be approved.
    pub case_id: String,
    /// Who accepted.
    pub by: String,
    /// When.
    pub at: Instant,
}

/// One thing that happened to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEvent {
    /// When.
    pub at: Instant,
    /// Who.
    pub actor: String,
    /// A sentence.
    pub text: String,
}
