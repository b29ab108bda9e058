//! Whether a second person must agree.

use super::input::DecisionInput;
use crate::{
    account::Policy,
    cases::actions::{Action, two_people_always},
    money::Currency,
};
use std::collections::BTreeMap;

/// Whether a second person must agree: by the action, or by all the money that it moves.
pub(super) fn takes_two(input: &DecisionInput<'_>) -> bool {
    if input.action.is_handling() {
        return false;
    }
    if input.action == Action::ReverseDecision {
        return input.reverses_approved;
    }
    let mut moved: BTreeMap<Currency, i128> = BTreeMap::new();
    for money in input.facts.lines.iter().map(|l| l.presented) {
        *moved.entry(money.currency).or_default() += i128::from(money.minor).abs();
    }
    let at_risk = input
        .at_risk
        .map(|money| (money.currency, i128::from(money.minor).abs()));
    two_people_always(input.action)
        || moved
            .into_iter()
            .chain(at_risk)
            .any(|(currency, minor)| minor > threshold(input.policy, currency))
}

/// The most that one person moves alone, in minor units.
fn threshold(policy: &Policy, currency: Currency) -> i128 {
    i128::from(policy.approval_threshold) * i128::from(currency.major_unit())
}
