//! What a decision is made of, before it is one.

use super::approval::Moved;
use crate::{
    account::Policy,
    cases::{actions::Action, kinds::CaseKind, reasons::ReasonCode, wanted::CaseFacts},
    matching::{AttemptFacts, IntentFacts, LineName, Share},
    money::Money,
    payment::Outcome,
    posting::LedgerAccount,
    time::{Day, Instant, Zone},
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
    /// allocate: which line, where the case has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<LineName>,
    /// correct_posting: to which account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<LedgerAccount>,
    /// snooze, wait_for_provider: until when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
    /// snooze, wait_for_provider: or from the start of which day, in the account's zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wake_on: Option<Day>,
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
    /// The zone in which the account's days are cut.
    pub zone: Zone,
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
    /// All rows that wait for the decision, where a case shows only the first of them. correct_posting of
    /// unrecognised_rows: the file's rows of unknown kind that no decision placed; accept_variance of
    /// batch_out_of_balance: the rows whose net is off and that no decision accepted.
    pub waiting_rows: &'a [LineName],
    /// What the same person decided alone about the same thing before, and what stands of it.
    pub alone_before: &'a Moved,
    /// Whether the decision to be reversed had been approved by a second person.
    pub reverses_approved: bool,
    /// Now.
    pub now: Instant,
}
