//! Payment intents and their attempts: what the business meant, and each call it made for it.

use crate::{coded_enum, money::Money, time::Instant};

/// The operation of an intent that is itself a refund, already asked for.
pub const REFUND: &str = "refund";

coded_enum! {
    /// Which way the money of an intent flows.
    pub enum Direction as "direction" { In = "in", Out = "out" }
}

coded_enum! {
    /// How an attempt stands.
    pub enum Outcome as "outcome" {
        /// Sent, answer awaited, lease running.
        InFlight = "in_flight",
        /// Nobody knows whether money moved.
        Unknown = "unknown",
        /// The provider did it.
        Succeeded = "succeeded",
        /// The provider refused it for good.
        Rejected = "rejected",
        /// Proven, or attested by two people, never to have been executed.
        Absent = "absent",
        /// Rejected or absent, yet evidence says that it took money; or taken back after success.
        Contested = "contested",
    }
}

coded_enum! {
    /// How an intent stands: a function of its attempts.
    pub enum IntentState as "intent state" {
        Pending = "PENDING", Submitting = "SUBMITTING", Unknown = "UNKNOWN",
        Succeeded = "SUCCEEDED", Failed = "FAILED", Review = "REVIEW",
    }
}

coded_enum! {
    /// What an unknown outcome does to automation.
    pub enum LossPolicy as "loss policy" {
        /// Unknown stops automation until evidence or people decide.
        AtMostOnce = "at_most_once",
        /// A repeat is cheaper than an omission.
        AtLeastOnce = "at_least_once",
    }
}

/// The state of an intent from its attempts' outcomes and whether a resend is permitted. Where a
/// repeat is cheaper than an omission, one success is enough.
pub fn intent_state(
    outcomes: &[Outcome],
    resend_permitted: bool,
    loss_policy: LossPolicy,
) -> IntentState {
    let count = |o: Outcome| outcomes.iter().filter(|x| **x == o).count();
    if count(Outcome::Contested) > 0 || count(Outcome::Succeeded) > 1 {
        IntentState::Review
    } else if count(Outcome::Succeeded) > 0 && loss_policy == LossPolicy::AtLeastOnce {
        IntentState::Succeeded
    } else if count(Outcome::InFlight) > 0 {
        IntentState::Submitting
    } else if count(Outcome::Unknown) > 0 {
        IntentState::Unknown
    } else if count(Outcome::Succeeded) > 0 {
        IntentState::Succeeded
    } else if resend_permitted || outcomes.is_empty() {
        IntentState::Pending
    } else {
        IntentState::Failed
    }
}

/// A payment intent as it was registered. Nothing of it ever changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// The company's id, any text up to 200 characters.
    pub public_id: String,
    /// What the company calls it towards others.
    pub merchant_reference: String,
    /// The company's word: `charge`, `payout`, `refund` are understood, others are kept.
    pub operation: String,
    /// How much.
    pub amount: Money,
    /// Which way.
    pub direction: Direction,
    /// Who pays or is paid, or empty.
    pub counterparty: String,
    /// When the business meant it.
    pub created_at: Instant,
    /// What unknown does.
    pub loss_policy: LossPolicy,
}

/// An attempt as it was registered: one call to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The company's id, any text up to 200 characters.
    pub public_id: String,
    /// From 1, within the intent.
    pub number: i64,
    /// Which provider account, by name.
    pub provider: String,
    /// The key that was sent.
    pub idempotency_key: String,
    /// The provider's id, or empty while not known.
    pub provider_payment_id: String,
    /// When the call began.
    pub started_at: Instant,
    /// When the call ended, if known.
    pub finished_at: Option<Instant>,
    /// The outcome as first reported.
    pub outcome: Outcome,
    /// The provider's error code, or empty.
    pub error_code: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome as O;

    #[test]
    fn an_intent_s_state_is_the_first_rule_that_fits() {
        for (outcomes, permitted, state) in [
            (vec![], false, IntentState::Pending),
            (vec![O::InFlight], false, IntentState::Submitting),
            (vec![O::Unknown], false, IntentState::Unknown),
            (vec![O::Rejected, O::Unknown], false, IntentState::Unknown),
            (
                vec![O::Rejected, O::Succeeded],
                false,
                IntentState::Succeeded,
            ),
            (vec![O::Succeeded, O::Succeeded], false, IntentState::Review),
            (vec![O::Contested, O::Succeeded], false, IntentState::Review),
            (vec![O::Rejected], false, IntentState::Failed),
            (vec![O::Absent], true, IntentState::Pending),
        ] {
            assert_eq!(
                intent_state(&outcomes, permitted, LossPolicy::AtMostOnce),
                state,
                "{outcomes:?}"
            );
        }
    }

    #[test]
    fn where_a_repeat_is_cheap_one_success_is_enough() {
        for (outcomes, state) in [
            (vec![O::Unknown], IntentState::Unknown),
            (vec![O::Unknown, O::Succeeded], IntentState::Succeeded),
            (vec![O::InFlight, O::Succeeded], IntentState::Succeeded),
            (vec![O::Succeeded, O::Succeeded], IntentState::Review),
            (vec![O::Unknown, O::Rejected], IntentState::Unknown),
        ] {
            assert_eq!(
                intent_state(&outcomes, false, LossPolicy::AtLeastOnce),
                state,
                "{outcomes:?}"
            );
        }
    }
}
