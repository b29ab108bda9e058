//! Why a person decided as they did, from a list.

use super::{actions::Action, kinds::CaseKind};
use crate::coded_enum;

coded_enum! {
    /// A reason code.
    pub enum ReasonCode as "reason code" {
        EvidenceAgrees = "evidence_agrees",
        ProviderConfirmed = "provider_confirmed",
        PayerConfirmed = "payer_confirmed",
        BankStatement = "bank_statement",
        WrongReference = "wrong_reference",
        PartialPayment = "partial_payment",
        CollectivePayment = "collective_payment",
        NotRegistered = "not_registered",
        OtherSystem = "other_system",
        DuplicateCharge = "duplicate_charge",
        Goodwill = "goodwill",
        SmallDifference = "small_difference",
        FeeDeducted = "fee_deducted",
        CurrencyConversion = "currency_conversion",
        Uncollectable = "uncollectable",
        DisputeLost = "dispute_lost",
        RowsIrrelevant = "rows_irrelevant",
        RowsEnteredByHand = "rows_entered_by_hand",
        RowsRepaired = "rows_repaired",
        WrongAccount = "wrong_account",
        RightAccount = "right_account",
        ReplacedFile = "replaced_file",
        NoActivity = "no_activity",
        AwaitingProvider = "awaiting_provider",
        AwaitingPayer = "awaiting_payer",
        NeedsSenior = "needs_senior",
        Mistake = "mistake",
        NewInformation = "new_information",
        Other = "other",
    }
}

impl ReasonCode {
    /// What people read.
    pub const fn title(self) -> &'static str {
        match self {
            Self::EvidenceAgrees => "The evidence shown agrees",
            Self::ProviderConfirmed => "The provider confirmed it",
            Self::PayerConfirmed => "The payer or payee confirmed it",
            Self::BankStatement => "Seen on the bank statement",
            Self::WrongReference => "The reference was wrong",
            Self::PartialPayment => "Paid in parts",
            Self::CollectivePayment => "One payment for several",
            Self::NotRegistered => "Real payment that was not registered",
            Self::OtherSystem => "Kept in another system",
            Self::DuplicateCharge => "Charged twice",
            Self::Goodwill => "Goodwill",
            Self::SmallDifference => "Small difference",
            Self::FeeDeducted => "A fee was deducted",
            Self::CurrencyConversion => "Currency conversion",
            Self::Uncollectable => "Cannot be collected",
            Self::DisputeLost => "Dispute lost",
            Self::RowsIrrelevant => "The rows do not matter",
            Self::RowsEnteredByHand => "The rows are entered by hand",
            Self::RowsRepaired => "The rows came repaired, in a file of their own",
            Self::WrongAccount => "Belongs on another account",
            Self::RightAccount => "The file belongs to this account",
            Self::ReplacedFile => "Another file stands instead",
            Self::NoActivity => "No activity in the period",
            Self::AwaitingProvider => "Waiting for the provider",
            Self::AwaitingPayer => "Waiting for the payer or payee",
            Self::NeedsSenior => "Needs a senior colleague",
            Self::Mistake => "Decided by mistake",
            Self::NewInformation => "New information",
            Self::Other => "Other (say what)",
        }
    }

    /// Whether it says too little alone.
    pub const fn demands_comment(self) -> bool {
        matches!(
            self,
            Self::Other
                | Self::Goodwill
                | Self::OtherSystem
                | Self::Uncollectable
                | Self::WrongAccount
                | Self::RightAccount
                | Self::RowsIrrelevant
                | Self::NewInformation
        )
    }

    /// Why a file is used for an account though another has it as well.
    pub const fn to_use_file_of_two_accounts() -> &'static [Self] {
        &[Self::RightAccount, Self::ProviderConfirmed, Self::Other]
    }

    /// Of the reasons of an action, those that fit a kind of case: what a page offers.
    pub fn offered(kind: CaseKind, action: Action) -> Vec<Self> {
        Self::for_action(action)
            .iter()
            .copied()
            .filter(|reason| reason.fits(kind, action))
            .collect()
    }

    /// Whether it can be why an action is taken about a kind of case.
    const fn fits(self, kind: CaseKind, action: Action) -> bool {
        use CaseKind as K;
        match self {
            // A dispute is the only thing that is lost.
            Self::DisputeLost => matches!(kind, K::Chargeback),
            Self::DuplicateCharge => {
                !matches!(action, Action::RecordExternal) || matches!(kind, K::DuplicateSettlement)
            }
            Self::NotRegistered => !matches!(kind, K::DuplicateSettlement | K::UnrequestedRefund),
            Self::CurrencyConversion => matches!(kind, K::AmountMismatch | K::CurrencyMismatch),
            Self::PartialPayment => {
                !matches!(action, Action::AcceptVariance) || matches!(kind, K::AmountMismatch)
            }
            Self::FeeDeducted => matches!(
                kind,
                K::AmountMismatch | K::CurrencyMismatch | K::BatchOutOfBalance
            ),
            // Nothing came at all, or all of it was taken back: no small difference.
            Self::SmallDifference => !matches!(
                kind,
                K::MissingSettlement | K::Chargeback | K::UnrequestedRefund
            ),
            Self::Goodwill => !matches!(kind, K::BatchOutOfBalance | K::FeeVariance),
            Self::Uncollectable => !matches!(kind, K::CurrencyMismatch),
            // Of money that nothing explains no evidence agrees.
            Self::EvidenceAgrees => !matches!(kind, K::UnexpectedSettlement),
            Self::AwaitingPayer => {
                !matches!(action, Action::WaitForProvider)
                    && !matches!(
                        kind,
                        K::MissingFile
                            | K::BatchOutOfBalance
                            | K::RejectedRows
                            | K::RestatedLine
                            | K::UnrecognisedRows
                            | K::FeeVariance
                    )
            }
            _ => true,
        }
    }

    /// Why a held file is put away.
    pub const fn to_put_file_away() -> &'static [Self] {
        &[
            Self::ReplacedFile,
            Self::WrongAccount,
            Self::ProviderConfirmed,
            Self::Mistake,
            Self::Other,
        ]
    }

    /// Why a file that was put away is held again.
    pub const fn to_hold_file_again() -> &'static [Self] {
        &[Self::Mistake, Self::NewInformation, Self::Other]
    }

    /// Why a used file is taken back out of the books.
    pub const fn to_take_file_back() -> &'static [Self] {
        &[
            Self::WrongAccount,
            Self::ReplacedFile,
            Self::ProviderConfirmed,
            Self::Mistake,
            Self::Other,
        ]
    }

    /// Why a file is kept that somebody wanted taken back.
    pub const fn to_keep_file() -> &'static [Self] {
        &[
            Self::Mistake,
            Self::NewInformation,
            Self::ProviderConfirmed,
            Self::Other,
        ]
    }

    /// The reasons that fit an action, the likeliest first; always with `other` last.
    pub const fn for_action(action: Action) -> &'static [Self] {
        match action {
            Action::ConfirmMatch | Action::ChooseCandidate => &[
                Self::EvidenceAgrees,
                Self::WrongReference,
                Self::ProviderConfirmed,
                Self::PayerConfirmed,
                Self::Other,
            ],
            Action::Allocate => &[
                Self::CollectivePayment,
                Self::PartialPayment,
                Self::PayerConfirmed,
                Self::Other,
            ],
            Action::RecordExternal => &[
                Self::NotRegistered,
                Self::OtherSystem,
                Self::DuplicateCharge,
                Self::ProviderConfirmed,
                Self::Other,
            ],
            Action::ConfirmOutcome | Action::NotExecuted => &[
                Self::ProviderConfirmed,
                Self::BankStatement,
                Self::EvidenceAgrees,
                Self::PayerConfirmed,
                Self::Other,
            ],
            Action::AcceptVariance => &[
                Self::SmallDifference,
                Self::PartialPayment,
                Self::FeeDeducted,
                Self::CurrencyConversion,
                Self::DisputeLost,
                Self::ProviderConfirmed,
                Self::Goodwill,
                Self::Other,
            ],
            Action::AcceptRows => &[
                Self::RowsRepaired,
                Self::RowsEnteredByHand,
                Self::RowsIrrelevant,
                Self::ProviderConfirmed,
                Self::Other,
            ],
            Action::WriteOff => &[
                Self::SmallDifference,
                Self::FeeDeducted,
                Self::Uncollectable,
                Self::Goodwill,
                Self::Other,
            ],
            Action::CorrectPosting => &[Self::WrongAccount, Self::ProviderConfirmed, Self::Other],
            Action::RequestRefund | Action::RequestReversal => &[
                Self::DuplicateCharge,
                Self::PayerConfirmed,
                Self::Goodwill,
                Self::Other,
            ],
            Action::PermitResend | Action::Retry => {
                &[Self::ProviderConfirmed, Self::EvidenceAgrees, Self::Other]
            }
            Action::Dismiss => &[Self::NoActivity, Self::ProviderConfirmed, Self::Other],
            Action::Snooze | Action::WaitForProvider => {
                &[Self::AwaitingProvider, Self::AwaitingPayer, Self::Other]
            }
            Action::Escalate => &[Self::NeedsSenior, Self::Other],
            Action::Reopen | Action::ReverseDecision => {
                &[Self::Mistake, Self::NewInformation, Self::Other]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{always_allowed, available_today};

    #[test]
    fn every_decision_of_every_kind_offers_a_reason_of_its_own_and_other_last() {
        for kind in CaseKind::ALL {
            for action in available_today(*kind).iter().chain(always_allowed()) {
                let offered = ReasonCode::offered(*kind, *action);
                assert!(offered.len() >= 2, "{kind}, {action}: {offered:?}");
                assert_eq!(offered.last(), Some(&ReasonCode::Other), "{kind}, {action}");
            }
        }
    }

    #[test]
    fn no_dispute_is_lost_over_a_batch_and_no_money_is_charged_twice_that_nobody_expected() {
        let batch = ReasonCode::offered(CaseKind::BatchOutOfBalance, Action::AcceptVariance);
        assert_eq!(
            batch,
            [
                ReasonCode::SmallDifference,
                ReasonCode::FeeDeducted,
                ReasonCode::ProviderConfirmed,
                ReasonCode::Other
            ]
        );
        let dispute = ReasonCode::offered(CaseKind::Chargeback, Action::AcceptVariance);
        assert_eq!(
            dispute,
            [
                ReasonCode::DisputeLost,
                ReasonCode::ProviderConfirmed,
                ReasonCode::Goodwill,
                ReasonCode::Other
            ]
        );
        let unexpected =
            ReasonCode::offered(CaseKind::UnexpectedSettlement, Action::RecordExternal);
        assert_eq!(
            unexpected,
            [
                ReasonCode::NotRegistered,
                ReasonCode::OtherSystem,
                ReasonCode::ProviderConfirmed,
                ReasonCode::Other
            ]
        );
        let nothing_came = ReasonCode::offered(CaseKind::MissingSettlement, Action::WriteOff);
        assert_eq!(
            nothing_came,
            [
                ReasonCode::Uncollectable,
                ReasonCode::Goodwill,
                ReasonCode::Other
            ]
        );
    }
}
