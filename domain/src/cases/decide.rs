//! What a decision would do, or why it is refused.

use super::{
    actions::Action, kinds::CaseKind, reasons::ReasonCode, states::CaseMove, wanted::CaseFacts,
};
use crate::{
    account::Policy,
    matching::{AttemptFacts, IntentFacts, Ruling, RulingSubject, Share},
    money::Money,
    payment::Outcome,
    posting::LedgerAccount,
    time::Instant,
};
use serde::{Deserialize, Serialize};

/// What a person chose beside the action, as the form or the API sends it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DecisionParams {
    /// To which attempts, and how much: confirm_match and choose_candidate take one (an amount of
    /// zero means the whole line), allocate several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// confirm_outcome: succeeded or rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// correct_posting: to which account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<LedgerAccount>,
    /// snooze, wait_for_provider: until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
    /// reverse_decision: which, by its public id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
}

/// An attempt that the params name, as it stands now.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The intent.
    pub intent: &'a IntentFacts,
    /// The attempt.
    pub attempt: &'a AttemptFacts,
    /// What is still open of the intent for the line's movement.
    pub open: i64,
}

/// A decision before it is one.
#[derive(Debug, Clone, Copy)]
pub struct DecisionInput<'a> {
    /// The case's kind.
    pub kind: CaseKind,
    /// The case's subject.
    pub subject: &'a str,
    /// The case's facts.
    pub facts: &'a CaseFacts,
    /// Hash of the facts, as hex.
    pub evidence: &'a str,
    /// Money at risk.
    pub at_risk: Option<Money>,
    /// The account's policy.
    pub policy: &'a Policy,
    /// What is to be done.
    pub action: Action,
    /// Why.
    pub reason: ReasonCode,
    /// In the person's words.
    pub comment: &'a str,
    /// What else was chosen.
    pub params: &'a DecisionParams,
    /// The attempts that the params name.
    pub targets: &'a [Target<'a>],
    /// Whether the decision to be reversed had been approved by a second person.
    pub reverses_approved: bool,
    /// Now.
    pub now: Instant,
}

/// What a decision would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The rulings it sets.
    pub rulings: Vec<(RulingSubject, Ruling)>,
    /// Whether a second person must agree first.
    pub two_people: bool,
    /// How the case moves once it is in force; judging may close or keep it afterwards.
    pub movement: Option<CaseMove>,
    /// When the case wakes.
    pub wake_at: Option<Instant>,
    /// What will happen, in sentences for the person who is about to confirm.
    pub preview: Vec<String>,
}

/// Why a decision is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not for this kind.
    #[error("{} is not a decision for a case of kind {kind}", action.title())]
    NotAllowed {
        /// The action.
        action: Action,
        /// The kind.
        kind: CaseKind,
    },
    /// Not a reason for this action.
    #[error("the reason {reason} does not go with {action}")]
    WrongReason {
        /// The reason.
        reason: ReasonCode,
        /// The action.
        action: Action,
    },
    /// The reason says too little alone.
    #[error("the reason “{}” needs a comment", reason.title())]
    CommentMissing {
        /// The reason.
        reason: ReasonCode,
    },
    /// Something that must be chosen was not.
    #[error("choose {0} first")]
    Missing(&'static str),
    /// A payment that cannot take it.
    #[error("{payment} cannot take this: {why}")]
    DoesNotFit {
        /// The intent's public id.
        payment: String,
        /// Why.
        why: String,
    },
    /// Anything else, said whole.
    #[error("{0}")]
    NotNow(String),
}

/// What the decision would do, or why not. Decides nothing about who may: that is the engine's.
pub fn validate_decision(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    Err(Refusal::NotAllowed {
        action: input.action,
        kind: input.kind,
    })
}
