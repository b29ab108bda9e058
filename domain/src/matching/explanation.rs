//! Why a line got its verdict, as data. Words are made of it in `sentences`.

use super::facts::LineName;
use crate::{
    coded_enum,
    line::{Rule, Verdict},
};
use serde::{Deserialize, Serialize};

coded_enum! {
    /// How two sides of a field compare.
    pub enum Agreement as "agreement" {
        /// Equal.
        Agrees = "agrees",
        /// Different, and it matters.
        Differs = "differs",
        /// Different, or there on one side only, and only noted.
        Noted = "noted",
        /// One side says nothing.
        Silent = "silent",
    }
}

coded_enum! {
    /// Which field was compared.
    pub enum Field as "field" {
        ProviderId = "provider_id",
        ModificationId = "modification_id",
        Reference = "reference",
        Amount = "amount",
        Currency = "currency",
        Direction = "direction",
        Counterparty = "counterparty",
        Time = "time",
        Outcome = "outcome",
    }
}

coded_enum! {
    /// Why a candidate was not taken.
    pub enum WhyNot as "reason against a candidate" {
        /// It was taken, or is what a person is asked to confirm.
        Chosen = "chosen",
        OtherProviderId = "other_provider_id",
        OtherReference = "other_reference",
        OtherCounterparty = "other_counterparty",
        OtherCurrency = "other_currency",
        OtherAmount = "other_amount",
        OtherDirection = "other_direction",
        OutsideWindow = "outside_window",
        CreatedAfterwards = "created_afterwards",
        /// Nothing tells it from another candidate.
        EquallyGood = "equally_good",
        NeverTried = "never_tried",
        AlreadySettled = "already_settled",
    }
}

coded_enum! {
    /// What decided, in one word.
    pub enum Finding as "finding" {
        /// Identity certain, figures equal.
        Agrees = "agrees",
        /// Several lines together make the amount exactly.
        SumsExactly = "sums_exactly",
        /// The row's kind settles it.
        ByKind = "by_kind",
        /// A person decided.
        ByPerson = "by_person",
        /// The amounts differ.
        AmountDiffers = "amount_differs",
        /// The currencies differ.
        CurrencyDiffers = "currency_differs",
        /// More came than the intent allows.
        TooMuch = "too_much",
        /// Parts came and more is expected.
        PartSoFar = "part_so_far",
        /// Id and reference name different payments.
        IdAgainstReference = "id_against_reference",
        /// The payment that the reference names has another provider id.
        ReferenceAgainstId = "reference_against_id",
        /// Several payments carry the same key.
        SeveralCarryKey = "several_carry_key",
        /// So many payments carry the reference that it names none of them.
        TooManyCarryKey = "too_many_carry_key",
        /// Several attempts of the payment could be it.
        SeveralAttempts = "several_attempts",
        /// The payment that it names was never tried.
        NeverTried = "never_tried",
        /// One open payment fits by amount, currency and time.
        OneFits = "one_fits",
        /// Several fit equally well.
        SeveralFit = "several_fit",
        /// Too many fit to list.
        TooManyFit = "too_many_fit",
        /// Nothing fits.
        NothingFits = "nothing_fits",
        /// The row's kind is unknown to the profile.
        UnknownKind = "unknown_kind",
    }
}

/// One field, both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldCheck {
    /// Which.
    pub field: Field,
    /// What our intent or attempt says, or empty.
    pub ours: String,
    /// What the line says, or empty.
    pub theirs: String,
    /// How they compare.
    pub agreement: Agreement,
}

/// A payment that could have been it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// The intent's public id.
    pub intent: String,
    /// The attempt's public id, or empty where none was tried.
    pub attempt: String,
    /// Its merchant reference.
    pub reference: String,
    /// Its amount in major units and its currency.
    pub amount: String,
    /// Who pays or is paid.
    pub counterparty: String,
    /// When it began.
    pub at: String,
    /// What is still open of it, in minor units of its currency.
    pub open: i64,
    /// Why it was not taken; `chosen` for the one that was.
    pub why: Vec<WhyNot>,
}

/// Why a line got its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The verdict.
    pub verdict: Verdict,
    /// The rule.
    pub rule: Rule,
    /// The version of the policy.
    pub policy_version: i64,
    /// What decided.
    pub finding: Finding,
    /// The fields that were compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldCheck>,
    /// Other lines that were counted with it, the first twenty by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together_with: Vec<LineName>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub together_more: u32,
    /// Who could have been it, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// How many could have been it in all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub candidates_total: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde calls it with a reference
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl Explanation {
    /// An explanation with nothing but its finding.
    pub const fn plain(
        verdict: Verdict,
        rule: Rule,
        policy_version: i64,
        finding: Finding,
    ) -> Self {
        Self {
            verdict,
            rule,
            policy_version,
            finding,
            fields: Vec::new(),
            together_with: Vec::new(),
            together_more: 0,
            candidates: Vec::new(),
            candidates_total: 0,
        }
    }

    /// Whether rule, policy version and finding say it all, so that no detail need be stored: an
    /// automatic R1 or R2 match whose fields all agree, and rows settled by their kind.
    pub fn is_compact(&self) -> bool {
        let automatic = matches!(self.finding, Finding::Agrees | Finding::ByKind);
        automatic
            && self.candidates.is_empty()
            && self
                .fields
                .iter()
                .all(|f| matches!(f.agreement, Agreement::Agrees | Agreement::Silent))
    }
}
