//! Why a person decided as they did, from a list.

use super::actions::Action;
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
        WrongAccount = "wrong_account",
        RightAccount = "right_account",
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
            Self::WrongAccount => "Belongs on another account",
            Self::RightAccount => "The file belongs to this account",
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
