//! Whether a second person must agree.

use super::input::DecisionInput;
use crate::{
    account::Policy,
    cases::actions::{Action, two_people_always},
    money::Money,
};

/// Whether a second person must agree: by the action, or by the money that it moves.
pub(super) fn takes_two(input: &DecisionInput<'_>) -> bool {
    if input.action.is_handling() {
        return false;
    }
    if input.action == Action::ReverseDecision {
        return input.reverses_approved;
    }
    let moved = input.facts.lines.iter().map(|l| l.presented);
    two_people_always(input.action)
        || input
            .at_risk
            .into_iter()
            .chain(moved)
            .any(|money| above_threshold(money, input.policy))
}

fn above_threshold(money: Money, policy: &Policy) -> bool {
    let limit = i128::from(policy.approval_threshold) * i128::from(money.currency.major_unit());
    i128::from(money.minor).abs() > limit
}
