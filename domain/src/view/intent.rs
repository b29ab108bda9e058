//! One payment intent: attempts, evidence, matches and where its money stands.

use super::{Amount, case::Testimony, line::LineRow, payments::IntentRow, queue::QueueRow};
use crate::{
    payment::{IntentState, LossPolicy, Outcome},
    time::Instant,
};
use serde::{Deserialize, Serialize};

/// The page of one intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntentPage {
    /// The intent.
    pub intent: IntentRow,
    /// Its version.
    pub version: i64,
    /// Who pays or is paid, or empty.
    pub counterparty: String,
    /// What unknown does.
    pub loss_policy: LossPolicy,
    /// Why it stands as it does: a sentence.
    pub why: String,
    /// Where its money stands, in its own currency.
    pub position: Position,
    /// What came of it in other currencies, each for itself.
    pub other_currencies: Vec<Position>,
    /// Its attempts, first first.
    pub attempts: Vec<AttemptView>,
    /// Everything that testifies, oldest first.
    pub timeline: Vec<Testimony>,
    /// Settlement lines that belong to it.
    pub lines: Vec<LineRow>,
    /// Cases about it.
    pub cases: Vec<QueueRow>,
    /// Its states, newest first.
    pub states: Vec<IntentEvent>,
}

/// Where the money of an intent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Captured, or paid out.
    pub captured: Amount,
    /// Given back.
    pub refunded: Amount,
    /// Taken back by disputes, less what was won.
    pub charged_back: Amount,
    /// Fees of its lines.
    pub fees: Amount,
    /// What is left.
    pub net: Amount,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptView {
    /// The company's id.
    pub id: String,
    /// From 1, within the intent.
    pub number: i64,
    /// Provider account by name.
    pub account: String,
    /// How it stands.
    pub outcome: Outcome,
    /// What reports and decisions alone say, where evidence says otherwise.
    pub reported: Outcome,
    /// The key that was sent.
    pub idempotency_key: String,
    /// The provider's id, or empty.
    pub provider_payment_id: String,
    /// Where that id comes from: `company`, `line`, …; or empty.
    pub learned_from: String,
    /// When the call began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
    /// The provider's error code, or empty.
    pub error_code: String,
}

/// One state of an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntentEvent {
    /// The version it made.
    pub version: i64,
    /// The state.
    pub state: IntentState,
    /// When.
    pub at: Instant,
    /// Why: a sentence.
    pub cause: String,
}
