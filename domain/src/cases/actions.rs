//! What a person may do about a case, and what takes two.

use super::kinds::CaseKind;
use crate::coded_enum;

coded_enum! {
    /// What a person does about a case.
    pub enum Action as "action" {
        ConfirmMatch = "confirm_match",
        ChooseCandidate = "choose_candidate",
        Allocate = "allocate",
        RecordExternal = "record_external",
        ConfirmOutcome = "confirm_outcome",
        NotExecuted = "not_executed",
        AcceptVariance = "accept_variance",
        AcceptRows = "accept_rows",
        WriteOff = "write_off",
        CorrectPosting = "correct_posting",
        RequestRefund = "request_refund",
        RequestReversal = "request_reversal",
        PermitResend = "permit_resend",
        Retry = "retry",
        Dismiss = "dismiss",
        Snooze = "snooze",
        WaitForProvider = "wait_for_provider",
        Escalate = "escalate",
        Reopen = "reopen",
        ReverseDecision = "reverse_decision",
    }
}

impl Action {
    /// What its button says.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ConfirmMatch => "Confirm match",
            Self::ChooseCandidate => "Choose this payment",
            Self::Allocate => "Allocate to payments",
            Self::RecordExternal => "Record as external",
            Self::ConfirmOutcome => "Confirm outcome",
            Self::NotExecuted => "Declare not executed",
            Self::AcceptVariance => "Accept as it is",
            Self::AcceptRows => "Use file without these rows",
            Self::WriteOff => "Write off",
            Self::CorrectPosting => "Post to another account",
            Self::RequestRefund => "Request refund",
            Self::RequestReversal => "Request reversal",
            Self::PermitResend => "Permit another attempt",
            Self::Retry => "Try again",
            Self::Dismiss => "Dismiss",
            Self::Snooze => "Snooze",
            Self::WaitForProvider => "Wait for provider",
            Self::Escalate => "Escalate",
            Self::Reopen => "Reopen",
            Self::ReverseDecision => "Undo decision",
        }
    }

    /// Whether one choice can serve several cases: it names no payment and no earlier decision of
    /// one of them.
    pub const fn serves_several(self) -> bool {
        !matches!(
            self,
            Self::ChooseCandidate | Self::Allocate | Self::ReverseDecision
        )
    }

    /// Whether it moves no money and settles nothing, so that it never takes two people.
    pub const fn is_handling(self) -> bool {
        matches!(
            self,
            Self::Snooze | Self::WaitForProvider | Self::Escalate | Self::Reopen | Self::Retry
        )
    }
}

/// Actions that every case allows.
pub const fn always_allowed() -> &'static [Action] {
    &[
        Action::Snooze,
        Action::WaitForProvider,
        Action::Escalate,
        Action::Reopen,
        Action::ReverseDecision,
    ]
}

/// The actions of a kind beside those that are always allowed; anything else is refused.
pub const fn allowed(kind: CaseKind) -> &'static [Action] {
    use Action as A;
    use CaseKind as K;
    match kind {
        K::UnknownOutcome => &[A::ConfirmOutcome, A::NotExecuted],
        K::Contradiction => &[A::ConfirmOutcome, A::NotExecuted, A::ChooseCandidate],
        K::SettledAfterFailure | K::PaymentReversed => &[A::ConfirmOutcome, A::RequestRefund],
        K::MissingSettlement => &[A::ConfirmOutcome, A::NotExecuted, A::WriteOff],
        K::MissingFile | K::EventFailed => &[A::Retry, A::Dismiss],
        K::UnexpectedSettlement => &[
            A::ConfirmMatch,
            A::RecordExternal,
            A::RequestRefund,
            A::CorrectPosting,
        ],
        K::AmbiguousMatch | K::ProposedMatch => &[
            A::ChooseCandidate,
            A::ConfirmMatch,
            A::Allocate,
            A::RecordExternal,
        ],
        K::AmountMismatch | K::CurrencyMismatch => &[
            A::AcceptVariance,
            A::WriteOff,
            A::Allocate,
            A::RequestRefund,
        ],
        K::DuplicateSettlement => &[A::RequestRefund, A::RecordExternal],
        K::UnrequestedRefund => &[A::RecordExternal, A::AcceptVariance],
        K::MissingRefund => &[A::NotExecuted],
        K::Chargeback | K::FeeVariance => &[A::AcceptVariance, A::RequestReversal],
        K::BatchOutOfBalance => &[A::AcceptVariance],
        K::BankMismatch => &[A::ChooseCandidate, A::Allocate, A::CorrectPosting],
        K::RestatedLine => &[
            A::ConfirmMatch,
            A::ChooseCandidate,
            A::CorrectPosting,
            A::Dismiss,
        ],
        K::UnrecognisedRows => &[A::CorrectPosting],
        K::RejectedRows => &[A::AcceptRows],
    }
}

/// The actions of a kind that this version carries out, without those that are always allowed.
pub fn available_today(kind: CaseKind) -> Vec<Action> {
    allowed(kind)
        .iter()
        .copied()
        .filter(|action| match action {
            Action::RequestRefund | Action::RequestReversal | Action::PermitResend => false,
            Action::Retry => kind == CaseKind::MissingFile,
            // Rows with other figures than those in use are not posted: there is nothing to match yet.
            Action::ConfirmMatch | Action::ChooseCandidate | Action::CorrectPosting => {
                kind != CaseKind::RestatedLine
            }
            _ => true,
        })
        .collect()
}

/// What can be decided about several cases of a kind with one choice.
pub fn in_bulk(kind: CaseKind) -> impl Iterator<Item = Action> {
    available_today(kind)
        .into_iter()
        .chain([Action::Snooze, Action::WaitForProvider, Action::Escalate])
        .filter(|action| action.serves_several())
}

/// Whether an action takes two people whatever the amount.
pub const fn two_people_always(action: Action) -> bool {
    matches!(
        action,
        Action::WriteOff
            | Action::RequestRefund
            | Action::RequestReversal
            | Action::CorrectPosting
            | Action::NotExecuted
            | Action::ConfirmOutcome
            | Action::PermitResend
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_something_to_decide_today_and_nothing_that_is_not_allowed() {
        for kind in CaseKind::ALL {
            let today = available_today(*kind);
            assert!(!today.is_empty(), "{kind}");
            assert!(today.iter().all(|a| allowed(*kind).contains(a)), "{kind}");
        }
    }
}
