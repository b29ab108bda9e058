//! Whether an attempt may be claimed.

use crate::payment::{IntentState, LossPolicy};

/// How an intent stands when somebody wants to try it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntentStanding {
    /// Its state.
    pub state: IntentState,
    /// Its version, from 1.
    pub version: i64,
    /// What unknown does to it.
    pub loss_policy: LossPolicy,
}

/// Why a claim is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimRefusal {
    /// The claim names another version than the one that stands.
    #[error(
        "the claim names version {expected}, but version {current} stands: read the intent again"
    )]
    Version {
        /// What the claim named.
        expected: i64,
        /// What stands.
        current: i64,
    },
    /// No attempt may be made in this state.
    #[error("{}", not_claimable(*.0))]
    State(IntentState),
}

/// Lets a claim through, or says why not. A pending intent may be tried; one whose outcome nobody
/// knows only where the loss policy holds a repeat to be cheaper than an omission, and then under
/// the same key.
pub const fn may_claim(standing: &IntentStanding, expected: i64) -> Result<(), ClaimRefusal> {
    if standing.version != expected {
        return Err(ClaimRefusal::Version {
            expected,
            current: standing.version,
        });
    }
    match (standing.state, standing.loss_policy) {
        (IntentState::Pending, _) | (IntentState::Unknown, LossPolicy::AtLeastOnce) => Ok(()),
        (state, _) => Err(ClaimRefusal::State(state)),
    }
}

const fn not_claimable(state: IntentState) -> &'static str {
    match state {
        IntentState::Pending => "the intent may not be tried now: read it again",
        IntentState::Submitting => {
            "another attempt is under way: wait for its report, or for its lease to run out"
        }
        IntentState::Unknown => {
            "nobody knows yet whether the last attempt took money: evidence or people decide, and time never does"
        }
        IntentState::Succeeded => "the intent has succeeded: there is nothing to repeat",
        IntentState::Failed => {
            "every attempt failed for good: another one needs a permit, or a new intent"
        }
        IntentState::Review => "the intent is under review: people decide first",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LossPolicy::{AtLeastOnce, AtMostOnce};

    fn standing(state: IntentState, loss_policy: LossPolicy) -> IntentStanding {
        IntentStanding {
            state,
            version: 7,
            loss_policy,
        }
    }

    #[test]
    fn only_a_pending_intent_is_tried_and_an_unknown_one_where_a_repeat_is_cheap() {
        for state in IntentState::ALL {
            for (policy, may) in [
                (AtMostOnce, *state == IntentState::Pending),
                (
                    AtLeastOnce,
                    matches!(state, IntentState::Pending | IntentState::Unknown),
                ),
            ] {
                let answer = may_claim(&standing(*state, policy), 7);
                assert_eq!(answer.is_ok(), may, "{state} {policy}: {answer:?}");
            }
        }
    }

    #[test]
    fn a_version_from_the_past_or_the_future_is_refused_in_every_state() {
        for state in IntentState::ALL {
            for expected in [6, 8, 0, -1, i64::MAX] {
                assert_eq!(
                    may_claim(&standing(*state, AtLeastOnce), expected),
                    Err(ClaimRefusal::Version {
                        expected,
                        current: 7
                    })
                );
            }
        }
    }
}
