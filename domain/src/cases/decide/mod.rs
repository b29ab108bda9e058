//! What a decision would do, or why it is refused.
//!
//! | Module | Says |
//! |---|---|
//! | [`mod@input`] | what a decision is made of, before it is one |
//! | [`mod@effect`] | what a decision would do |
//! | [`mod@refusal`] | why a decision is refused |
//! | [`mod@approval`] | whether a second person must agree |
//! | [`mod@handling`] | what moves a case and says nothing about its money |
//! | [`mod@payments`] | to which payments a line belongs |
//! | [`mod@fitting`] | which payments can take a line |
//! | [`mod@external`] | real money of no payment registered here |
//! | [`mod@outcomes`] | how an attempt ended |
//! | [`mod@figures`] | figures that stand as they are |
//! | [`mod@write_offs`] | what is written off |
//! | [`mod@postings`] | rows that no payment explains: left out, or posted elsewhere |

mod approval;
mod effect;
mod external;
mod figures;
mod fitting;
mod handling;
mod input;
mod outcomes;
mod payments;
mod postings;
mod refusal;
mod write_offs;

pub use self::{
    approval::Moved,
    effect::Effect,
    input::{DecisionInput, DecisionParams, Target},
    refusal::Refusal,
};

use self::{
    approval::takes_two,
    effect::moves,
    external::record_external,
    figures::accept_variance,
    handling::{dismiss, reopen, retry, reverse, wait},
    outcomes::{confirm_outcome, rule_outcome},
    payments::{allocate, match_to_one},
    postings::{accept_rows, correct_posting},
    write_offs::write_off,
};
use crate::{
    cases::{
        actions::{Action, always_allowed, available_today},
        reasons::ReasonCode,
    },
    payment::Outcome,
};

/// The most characters of a comment.
pub const MOST_COMMENT: usize = 2_000;

/// What the decision would do, or why not. Who may decide is the engine's to ask.
pub fn validate_decision(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    let listed = available_today(input.kind).contains(&input.action)
        || always_allowed().contains(&input.action);
    if !listed {
        return Err(Refusal::NotAllowed {
            action: input.action,
            kind: input.kind,
        });
    }
    check_reason(input)?;
    let mut effect = effect(input)?;
    effect.two_people = takes_two(input);
    Ok(effect)
}

fn check_reason(input: &DecisionInput<'_>) -> Result<(), Refusal> {
    if !ReasonCode::for_action(input.action).contains(&input.reason) {
        return Err(Refusal::WrongReason {
            reason: input.reason,
            action: input.action,
        });
    }
    if input.reason.demands_comment() && input.comment.trim().is_empty() {
        return Err(Refusal::CommentMissing {
            reason: input.reason,
        });
    }
    if input.comment.chars().count() > MOST_COMMENT {
        return Err(Refusal::NotNow(format!(
            "the comment is longer than {MOST_COMMENT} characters"
        )));
    }
    Ok(())
}

fn effect(input: &DecisionInput<'_>) -> Result<Effect, Refusal> {
    match input.action {
        Action::ConfirmMatch | Action::ChooseCandidate => match_to_one(input),
        Action::Allocate => allocate(input),
        Action::RecordExternal => record_external(input),
        Action::ConfirmOutcome => confirm_outcome(input),
        Action::NotExecuted => rule_outcome(input, Outcome::Absent),
        Action::AcceptVariance => accept_variance(input),
        Action::AcceptRows => accept_rows(input),
        Action::WriteOff => write_off(input),
        Action::CorrectPosting => correct_posting(input),
        Action::Dismiss => Ok(dismiss(input)),
        Action::Snooze | Action::WaitForProvider => wait(input),
        Action::Escalate => Ok(moves(
            None,
            "The case is marked for a senior colleague and stays open.",
        )),
        Action::Reopen => Ok(reopen(input)),
        Action::ReverseDecision => reverse(input),
        Action::Retry => retry(input),
        Action::RequestRefund | Action::RequestReversal | Action::PermitResend => {
            Err(Refusal::NotAllowed {
                action: input.action,
                kind: input.kind,
            })
        }
    }
}
