//! How a case moves. Each move is one version.

use crate::coded_enum;

coded_enum! {
    /// How a case stands.
    pub enum CaseState as "case state" {
        /// Waits for somebody.
        Open = "OPEN",
        /// Somebody holds it, by a lease.
        InReview = "IN_REVIEW",
        /// Decided, and waits for a second person.
        AwaitingApproval = "AWAITING_APPROVAL",
        /// Set aside until a date.
        Waiting = "WAITING",
        /// Done.
        Resolved = "RESOLVED",
    }
}

coded_enum! {
    /// What can happen to a case.
    pub enum CaseMove as "case move" {
        /// Somebody takes it.
        Claim = "claim",
        /// Whoever holds it lets go, or the lease ends.
        Release = "release",
        /// Decided, and a second person is needed.
        AwaitApproval = "await_approval",
        /// The second person said no, or the waiting decision was voided by new evidence.
        Unapproved = "unapproved",
        /// Set aside until a date.
        Snooze = "snooze",
        /// The date came, or evidence did.
        Wake = "wake",
        /// A decision or evidence settled it.
        Resolve = "resolve",
        /// Taken up again.
        Reopen = "reopen",
    }
}

/// A move that a case in this state cannot make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a case that is {state} cannot make the move {movement}")]
pub struct NotThatMove {
    /// Where it stands.
    pub state: CaseState,
    /// What was tried.
    pub movement: CaseMove,
}

impl CaseState {
    /// The state after a move.
    pub const fn after(self, movement: CaseMove) -> Result<Self, NotThatMove> {
        use CaseMove as M;
        let next = match (self, movement) {
            (Self::Open | Self::InReview | Self::Waiting, M::Claim) => Self::InReview,
            (Self::InReview, M::Release)
            | (Self::Waiting, M::Wake)
            | (Self::AwaitingApproval, M::Unapproved)
            | (Self::Resolved | Self::Waiting, M::Reopen) => Self::Open,
            (Self::Open | Self::InReview | Self::Waiting, M::AwaitApproval) => {
                Self::AwaitingApproval
            }
            (Self::Open | Self::InReview | Self::Waiting, M::Snooze) => Self::Waiting,
            (Self::Open | Self::InReview | Self::AwaitingApproval | Self::Waiting, M::Resolve) => {
                Self::Resolved
            }
            (state, movement) => return Err(NotThatMove { state, movement }),
        };
        Ok(next)
    }

    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::InReview => "In review",
            Self::AwaitingApproval => "Awaiting approval",
            Self::Waiting => "Waiting",
            Self::Resolved => "Resolved",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolved_case_only_reopens_and_one_awaiting_approval_is_not_decided_again() {
        for movement in CaseMove::ALL {
            assert_eq!(
                CaseState::Resolved.after(*movement).is_ok(),
                *movement == CaseMove::Reopen
            );
            assert_eq!(
                CaseState::AwaitingApproval.after(*movement).is_ok(),
                matches!(movement, CaseMove::Unapproved | CaseMove::Resolve)
            );
        }
    }
}
