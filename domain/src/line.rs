//! A settlement line: one money row of a file, what kind it is, and what became of it.

use crate::{
    coded_enum,
    money::{Currency, Money},
    time::Instant,
};

coded_enum! {
    /// What a row of a settlement file is about.
    pub enum RowKind as "row kind" {
        Payment = "payment",
        PaymentReversal = "payment_reversal",
        /// Money sent on our order, not to our own bank.
        Disbursement = "disbursement",
        Refund = "refund",
        RefundReversal = "refund_reversal",
        Chargeback = "chargeback",
        ChargebackReversal = "chargeback_reversal",
        DisputeFee = "dispute_fee",
        Fee = "fee",
        Adjustment = "adjustment",
        ReserveHold = "reserve_hold",
        ReserveRelease = "reserve_release",
        /// To our own bank.
        Payout = "payout",
        PayoutReversal = "payout_reversal",
        Fx = "fx",
        CarryOver = "carry_over",
        /// Kept, shown and totalled, but of a type that no profile names.
        Unrecognised = "unrecognised",
    }
}

coded_enum! {
    /// What became of a data row. Every row has exactly one.
    pub enum Verdict as "verdict" {
        /// Tied to an attempt.
        Matched = "MATCHED",
        /// A person is asked to confirm.
        Proposed = "PROPOSED",
        /// Evidence contradicts, or cannot choose.
        Conflict = "CONFLICT",
        /// Nothing explains it.
        Unmatched = "UNMATCHED",
        /// Not a payment of ours; posted and totalled.
        Accounted = "ACCOUNTED",
        /// Its file waits for a person.
        Held = "HELD",
        /// Could not be read.
        Rejected = "REJECTED",
        /// Already counted from another file.
        Repeated = "REPEATED",
        /// A later version of its report stands instead.
        Superseded = "SUPERSEDED",
    }
}

coded_enum! {
    /// Which rule gave the verdict.
    pub enum Rule as "rule" {
        /// R1: provider payment id.
        ProviderId = "R1",
        /// R2: a reference that we sent.
        Reference = "R2",
        /// R3: members of a shared key that sum exactly.
        Group = "R3",
        /// R4: counterparty, amount, currency, direction and window.
        Composite = "R4",
        /// R5: a damaged reference.
        NearReference = "R5",
        /// R6: a subset that sums.
        Subset = "R6",
        /// The row's kind settles it: fees, payouts and the like.
        Kind = "kind",
        /// A person decided.
        Person = "person",
        /// No rule fits.
        None = "none",
    }
}

impl RowKind {
    /// Whether rows of this kind belong to a payment of ours and need a match.
    pub const fn concerns_payment(self) -> bool {
        matches!(
            self,
            Self::Payment
                | Self::PaymentReversal
                | Self::Disbursement
                | Self::Refund
                | Self::RefundReversal
                | Self::Chargeback
                | Self::ChargebackReversal
        )
    }

    /// Whether the whole of the row is a fee: its fee is minus its net, whichever column was used.
    pub const fn is_fee(self) -> bool {
        matches!(self, Self::Fee | Self::DisputeFee)
    }
}

/// A settlement line as read from a file, before any verdict.
///
/// `gross`, `fee` and `net` are minor units of `currency` (what moved at the provider), signed as
/// our balance there: payments positive; payouts, refunds and chargebacks negative; fee positive
/// when charged; normally `net = gross - fee`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettlementLine {
    /// Physical line at which the record starts, the file's first line being 1.
    pub line_no: u64,
    /// Where the record starts in the stored bytes.
    pub byte_offset: u64,
    /// How many bytes the record has, without its line end.
    pub byte_len: u32,
    /// The provider's row id, or empty.
    pub row_id: String,
    /// What identifies the row beyond this file: the row id, or the profile's columns, joined by
    /// U+001F. Empty never: a profile without identity columns uses all of the row's.
    pub identity: String,
    /// Which of the rows with this identity in this file it is, from 0.
    pub occurrence: u32,
    /// What the row is about.
    pub kind: RowKind,
    /// The provider's own word for the kind.
    pub source_kind: String,
    /// The payment's id at the provider, or empty.
    pub provider_payment_id: String,
    /// The refund's or dispute's id at the provider, or empty.
    pub modification_id: String,
    /// The reference that we may have sent, or empty.
    pub merchant_reference: String,
    /// Gross that moved at the provider.
    pub gross: i64,
    /// Fee that moved at the provider, positive when charged.
    pub fee: i64,
    /// Net that moved at the provider.
    pub net: i64,
    /// Currency of gross, fee and net.
    pub currency: Currency,
    /// What the payer saw; equals gross and currency where the file says nothing else.
    pub presented: Money,
    /// When it happened, if the file says so.
    pub occurred_at: Option<Instant>,
    /// When it settled, if the file says so.
    pub settled_at: Option<Instant>,
    /// The provider's grouping, or empty.
    pub batch_id: String,
    /// Who paid or was paid, or empty.
    pub counterparty: String,
    /// Free text, card numbers masked, or empty.
    pub description: String,
    /// Whether text of this row was already damaged at its source (replacement characters).
    pub lossy_text: bool,
}
