//! The ledger accounts, kept per provider account and currency.

use crate::coded_enum;

coded_enum! {
    /// A ledger account of a provider account.
    pub enum LedgerAccount as "ledger account" {
        /// What the provider owes us between a payment and its payout.
        ProviderClearing = "provider_clearing",
        /// What the provider holds back.
        ProviderReserve = "provider_reserve",
        /// Paid out, not yet seen at the bank.
        PayoutsInTransit = "payouts_in_transit",
        /// Our bank account.
        Bank = "bank",
        /// Cleared against the company's own receivable.
        Receipts = "receipts",
        /// Paid to payees on our order.
        Disbursements = "disbursements",
        /// Given back to payers.
        Refunds = "refunds",
        /// Taken by disputes.
        Chargebacks = "chargebacks",
        /// Charged by the provider.
        ProviderFees = "provider_fees",
        /// Conversion position between currencies.
        FxDifference = "fx_difference",
        /// Carried to another batch.
        CarriedForward = "carried_forward",
        /// Money that nothing explains yet.
        Suspense = "suspense",
        /// Written off by people.
        WriteOffs = "write_offs",
        /// The provider's other rows and accepted residuals.
        Adjustments = "adjustments",
    }
}

impl LedgerAccount {
    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::ProviderClearing => "Provider clearing",
            Self::ProviderReserve => "Provider reserve",
            Self::PayoutsInTransit => "Payouts in transit",
            Self::Bank => "Bank",
            Self::Receipts => "Receipts",
            Self::Disbursements => "Disbursements",
            Self::Refunds => "Refunds",
            Self::Chargebacks => "Chargebacks",
            Self::ProviderFees => "Provider fees",
            Self::FxDifference => "Currency conversion",
            Self::CarriedForward => "Carried forward",
            Self::Suspense => "Suspense",
            Self::WriteOffs => "Write-offs",
            Self::Adjustments => "Adjustments",
        }
    }
}
