//! Which kinds of case there are, and how people call them.

use crate::coded_enum;

coded_enum! {
    /// What a case is about.
    pub enum CaseKind as "case kind" {
        UnknownOutcome = "unknown_outcome",
        Contradiction = "contradiction",
        SettledAfterFailure = "settled_after_failure",
        PaymentReversed = "payment_reversed",
        MissingSettlement = "missing_settlement",
        MissingFile = "missing_file",
        UnexpectedSettlement = "unexpected_settlement",
        AmbiguousMatch = "ambiguous_match",
        ProposedMatch = "proposed_match",
        AmountMismatch = "amount_mismatch",
        CurrencyMismatch = "currency_mismatch",
        DuplicateSettlement = "duplicate_settlement",
        UnrequestedRefund = "unrequested_refund",
        MissingRefund = "missing_refund",
        Chargeback = "chargeback",
        FeeVariance = "fee_variance",
        BatchOutOfBalance = "batch_out_of_balance",
        BankMismatch = "bank_mismatch",
        RestatedLine = "restated_line",
        UnrecognisedRows = "unrecognised_rows",
        RejectedRows = "rejected_rows",
        EventFailed = "event_failed",
    }
}

impl CaseKind {
    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::UnknownOutcome => "Outcome unknown",
            Self::Contradiction => "Sources disagree",
            Self::SettledAfterFailure => "Failed, yet money came",
            Self::PaymentReversed => "Payment taken back",
            Self::MissingSettlement => "Settlement missing",
            Self::MissingFile => "File missing",
            Self::UnexpectedSettlement => "Money nobody expected",
            Self::AmbiguousMatch => "Several payments fit",
            Self::ProposedMatch => "Match to confirm",
            Self::AmountMismatch => "Amount differs",
            Self::CurrencyMismatch => "Currency differs",
            Self::DuplicateSettlement => "Paid twice",
            Self::UnrequestedRefund => "Refund nobody asked for",
            Self::MissingRefund => "Refund missing",
            Self::Chargeback => "Dispute",
            Self::FeeVariance => "Fee differs",
            Self::BatchOutOfBalance => "Batch does not tie",
            Self::BankMismatch => "Bank does not tie",
            Self::RestatedLine => "Line restated",
            Self::UnrecognisedRows => "Rows of unknown kind",
            Self::RejectedRows => "Rows not readable",
            Self::EventFailed => "Message not processed",
        }
    }

    /// The class of its icon: unknown, conflict, missing, mismatch, unexpected, duplicate, dispute.
    pub const fn icon(self) -> char {
        match self {
            Self::UnknownOutcome | Self::EventFailed => '?',
            Self::Contradiction
            | Self::SettledAfterFailure
            | Self::AmbiguousMatch
            | Self::RestatedLine => '≠',
            Self::MissingSettlement | Self::MissingFile | Self::MissingRefund => '−',
            Self::AmountMismatch
            | Self::CurrencyMismatch
            | Self::FeeVariance
            | Self::BatchOutOfBalance
            | Self::BankMismatch => '±',
            Self::UnexpectedSettlement | Self::UnrequestedRefund => '+',
            Self::ProposedMatch => '≈',
            Self::DuplicateSettlement => '2',
            Self::PaymentReversed | Self::Chargeback => '!',
            Self::UnrecognisedRows | Self::RejectedRows => '#',
        }
    }

    /// The word beside the icon.
    pub const fn icon_word(self) -> &'static str {
        match self.icon() {
            '?' => "unknown",
            '≠' => "conflict",
            '−' => "missing",
            '±' => "mismatch",
            '+' => "unexpected",
            '≈' => "proposed",
            '2' => "duplicate",
            '!' => "taken back",
            _ => "unread",
        }
    }
}
