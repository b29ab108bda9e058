//! Whether a second person must agree.

use super::input::DecisionInput;
use crate::{
    account::Policy,
    cases::{
        actions::{Action, two_people_always},
        wanted::CaseFacts,
    },
    money::{Currency, Money},
};
use std::collections::BTreeMap;

/// What decisions move, by currency and without signs, in minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moved(BTreeMap<Currency, i128>);

impl Moved {
    /// What a decision about a case moves: all of its lines together, or the money at risk where that is
    /// more.
    pub fn by(facts: &CaseFacts, at_risk: Option<Money>) -> Self {
        let mut moved = Self::default();
        for line in &facts.lines {
            moved.note(line.presented);
        }
        if let Some(money) = at_risk {
            let lines = moved.0.entry(money.currency).or_default();
            *lines = i128::from(money.minor).abs().max(*lines);
        }
        moved
    }

    /// Adds what another decision moved.
    pub fn add(&mut self, other: &Self) {
        for (currency, minor) in &other.0 {
            *self.0.entry(*currency).or_default() += minor;
        }
    }

    fn note(&mut self, money: Money) {
        *self.0.entry(money.currency).or_default() += i128::from(money.minor).abs();
    }

    fn is_above_threshold(&self, policy: &Policy) -> bool {
        self.0.iter().any(|(currency, minor)| {
            *minor > i128::from(policy.approval_threshold) * i128::from(currency.major_unit())
        })
    }
}

/// Whether a second person must agree: by the action, or by the money that it moves, together with what the
/// same person decided alone about the same thing before. Else one person would move any sum in parts.
pub(super) fn takes_two(input: &DecisionInput<'_>) -> bool {
    if input.action.is_handling() {
        return false;
    }
    if input.action == Action::ReverseDecision {
        return input.reverses_approved;
    }
    let mut moved = Moved::by(input.facts, input.at_risk);
    moved.add(input.alone_before);
    two_people_always(input.action) || moved.is_above_threshold(input.policy)
}
