//! One case: everything a person needs to decide, and what they may decide.

use super::{Amount, FieldProblem, Link, form::Choice};
use crate::time::{Day, Instant};
use serde::{Deserialize, Serialize};

/// A case with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CasePage {
    /// Public id.
    pub id: String,
    /// Short label, `C-01944`.
    pub label: String,
    /// Kind.
    pub kind: String,
    /// State, in capitals.
    pub state: String,
    /// Version: changes with anything; a decision names the one it saw.
    pub version: i64,
    /// Evidence version: changes with evidence, candidates and figures.
    pub evidence_version: i64,
    /// One sentence: `order-88034 was captured twice on 2026-11-26`.
    pub title: String,
    /// Provider account by name.
    pub account: String,
    /// Money at risk, where known.
    pub at_risk: Option<Amount>,
    /// 1 low to 4 critical.
    pub severity: u8,
    /// When it opened.
    pub opened_at: Instant,
    /// When it is due.
    pub due_at: Instant,
    /// Who holds it.
    pub owner: Option<Owner>,
    /// When it wakes, where it waits.
    pub wake_at: Option<Instant>,
    /// The day on which it wakes, in the account's zone.
    pub wake_on: Option<Day>,
    /// How it ended, or empty.
    pub resolution: String,
    /// Ours and theirs, field by field.
    pub sides: Option<Sides>,
    /// Several rows that should come to one figure, with what is left after each.
    pub difference: Option<RunningDifference>,
    /// Why it is here: a sentence or two.
    pub why: String,
    /// What would settle it without a decision, each a sentence.
    pub settles: Vec<String>,
    /// Attempts or lines that could belong, best first.
    pub candidates: Vec<Candidate>,
    /// Further figures that it is about: of a file, a batch, a period, a due date.
    pub about: Vec<AboutFact>,
    /// What payments were looked for by, or empty.
    pub find: String,
    /// Attempts that were found by it.
    pub found: Vec<Candidate>,
    /// What to know about what was found, or empty.
    pub found_note: String,
    /// What testifies, oldest first.
    pub evidence: Vec<Testimony>,
    /// What may be decided, most likely first.
    pub actions: Vec<ActionChoice>,
    /// The decision that waits for a second person.
    pub awaiting: Option<AwaitingDecision>,
    /// The last decision in force that can be taken back.
    pub undo: Option<Undo>,
    /// What happened to the case, newest first.
    pub history: Vec<CaseEvent>,
    /// Where its figures and bytes lead.
    pub links: Vec<Link>,
    /// A fresh id for the next decision, so that a double click is one decision.
    pub decision_id: String,
    /// Hashes of the evidence shown, sent back with the decision.
    pub evidence_hashes: Vec<String>,
    /// What was typed, after a refusal.
    pub typed: Option<TypedDecision>,
    /// What was wrong with it.
    pub problems: Vec<FieldProblem>,
    /// What changed since the person looked, after a stale decision.
    pub stale: Option<Stale>,
    /// The case above in the queue, by public id.
    pub previous: Option<String>,
    /// The case below in the queue, by public id.
    pub next: Option<String>,
}

/// Who holds a case, and until when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Their address.
    pub email: String,
    /// Whether it is the person who looks.
    pub me: bool,
    /// When the lease ends.
    pub until: Instant,
}

/// Ours and theirs beside each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides {
    /// What stands on our side.
    pub ours: SideHead,
    /// What stands on the other, one column each; at most three.
    pub theirs: Vec<SideHead>,
    /// Field by field.
    pub fields: Vec<FieldRow>,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideHead {
    /// `Ours`, `Line 1,388`.
    pub title: String,
    /// `intent, attempt 1`, `in question`.
    pub note: String,
    /// Where it leads, or empty.
    pub href: String,
}

/// One field on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRow {
    /// What it is: `Provider id`, `Amount`, `Booked`.
    pub name: String,
    /// Our value, or empty.
    pub ours: String,
    /// Theirs, one for each column.
    pub theirs: Vec<FieldCell>,
}

/// Their value of one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldCell {
    /// The value, or empty.
    pub value: String,
    /// How it compares to ours.
    pub agreement: Agreement,
    /// How far apart, in words: `+2 min 39 s`, `8.00 EUR less`; or empty.
    pub note: String,
}

/// How two values of a field compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The same.
    Same,
    /// Not the same.
    Differs,
    /// One side is silent, or the field is shown only.
    NotCompared,
}

/// Rows that should come to one figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningDifference {
    /// What they are measured against: `Intent allows`.
    pub against: String,
    /// That figure.
    pub target: Amount,
    /// Each row and what is left after it.
    pub steps: Vec<DifferenceStep>,
    /// What is left in the end; zero ties.
    pub residual: Amount,
}

/// One row of a running difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceStep {
    /// What the row is.
    pub label: String,
    /// Its amount.
    pub amount: Amount,
    /// What is left after it.
    pub left: Amount,
    /// Where it leads, or empty.
    pub href: String,
}

/// One attempt, intent or line that could belong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// What a decision names it by: `attempt:<id>`, `line:<file>:<no>`.
    pub key: String,
    /// From 1, best first.
    pub rank: u32,
    /// What it is: `order-88034, attempt 1`.
    pub label: String,
    /// More about it, or empty.
    pub about: String,
    /// Its amount.
    pub amount: Option<Amount>,
    /// Its own time.
    pub at: Option<Instant>,
    /// What speaks for it.
    pub why: Vec<String>,
    /// What speaks against it.
    pub why_not: Vec<String>,
    /// Where it leads, or empty.
    pub href: String,
}

/// A figure that a case is about, with the way to what it counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AboutFact {
    /// What it is.
    pub name: String,
    /// As text, or empty where the link says it.
    pub value: String,
    /// Where it leads.
    pub link: Option<Link>,
}

/// One thing that testifies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Testimony {
    /// When it happened, by its source.
    pub occurred_at: Option<Instant>,
    /// When it reached us, where that was noted.
    pub received_at: Option<Instant>,
    /// Where it comes from: `api`, `payments file`, `file`, `person`, `rules`.
    pub source: String,
    /// What it says.
    pub text: String,
    /// Its SHA-256 in hex, or empty.
    pub hash: String,
    /// To its bytes.
    pub link: Option<Link>,
}

/// Something that may be decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionChoice {
    /// The action's code.
    pub action: String,
    /// What it does here: `moves 480.00 EUR from suspense to receipts`.
    pub explains: String,
    /// Its reason codes with words.
    pub reasons: Vec<ReasonChoice>,
    /// What it asks for besides reason and comment.
    pub asks: Vec<Ask>,
    /// What it posts.
    pub effect: Effect,
    /// Whether a second person must agree.
    pub needs_approval: bool,
    /// Who could: addresses, at most five.
    pub approvers: Vec<String>,
    /// Why this person may not, or empty.
    pub refused: String,
}

/// A reason code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonChoice {
    /// The code.
    pub code: String,
    /// Its words.
    pub label: String,
    /// Whether it wants a comment.
    pub comment_required: bool,
}

/// Something more that an action asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Ask {
    /// One of the candidates (`candidate`).
    Candidate,
    /// How an attempt ended (`outcome`).
    Outcome {
        /// The outcomes on offer.
        choices: Vec<Choice>,
    },
    /// When to wake (`wake_on`), not before.
    WakeOn {
        /// The first day on offer.
        earliest: Day,
    },
    /// To whom (`assignee`), optional.
    Assignee {
        /// The people on offer.
        choices: Vec<Choice>,
    },
    /// The merchant reference of money that we did not register (`reference`).
    Reference,
    /// A ledger account (`ledger_account`).
    LedgerAccount {
        /// The accounts on offer.
        choices: Vec<Choice>,
    },
    /// A share of the amount for each candidate (`share.<key>`), in major units.
    Shares,
}

/// What a decision posts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// A sentence, such as `nothing is posted`.
    pub text: String,
    /// The postings.
    pub postings: Vec<EffectPosting>,
}

/// One posting of a preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectPosting {
    /// Ledger account.
    pub ledger_account: String,
    /// Debit positive, credit negative.
    pub amount: Amount,
}

/// A decision that waits for a second person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwaitingDecision {
    /// Its public id.
    pub id: String,
    /// The action's code.
    pub action: String,
    /// The reason's words.
    pub reason: String,
    /// The comment.
    pub comment: String,
    /// Who decided.
    pub decided_by: String,
    /// When.
    pub decided_at: Instant,
    /// What approval posts.
    pub effect: Effect,
    /// Whether the person who looks may approve or refuse.
    pub may_approve: bool,
    /// Why not, or empty: `you decided it yourself`.
    pub why_not: String,
    /// Who could: addresses.
    pub approvers: Vec<String>,
    /// Whether the person who looks may take it back (it is their own).
    pub may_withdraw: bool,
}

/// How the last decision can be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// The decision's public id.
    pub decision_id: String,
    /// What taking it back does: `Unlink`, `Reverse with a new entry`.
    pub does: String,
    /// Which decision, in words: `confirm match by ana@example.com, 14:02`.
    pub decision: String,
    /// Whether a second person must agree.
    pub needs_approval: bool,
    /// Reason codes.
    pub reasons: Vec<ReasonChoice>,
    /// What taking it back posts.
    pub effect: Effect,
}

/// One thing that happened to a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseEvent {
    /// The version it made.
    pub version: i64,
    /// When.
    pub at: Instant,
    /// Who.
    pub actor: String,
    /// A sentence.
    pub text: String,
    /// The ledger entry it posted, if any.
    pub entry: Option<i64>,
}

/// A decision as typed, kept after a refusal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedDecision {
    /// The action's code.
    pub action: String,
    /// The reason's code.
    pub reason: String,
    /// The comment.
    pub comment: String,
    /// Every other field by its form name.
    pub fields: Vec<(String, String)>,
}

/// What changed between looking and deciding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stale {
    /// The version that the person saw.
    pub seen: i64,
    /// The version that stands.
    pub now: i64,
    /// What happened in between, oldest first.
    pub events: Vec<CaseEvent>,
    /// Fields whose values changed: name, then, now.
    pub changes: Vec<Change>,
}

/// One value that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What it is.
    pub name: String,
    /// As the person saw it.
    pub then: String,
    /// As it stands.
    pub now: String,
}
