//! Profiles: what a column-mapped file looks like, as data.
//!
//! A profile is a TOML text: built in (`domain/profiles`), or a user's own. Columns are named,
//! never counted, since providers move and append them. Names are compared without regard to
//! case, outer white space and the length of inner white space.

mod check;
mod columns;

pub use check::ProfileError;
pub use columns::{AmountRule, AmountSource, ColumnRule, IdentityRule, Source, TimeSource};

use crate::{account::ProviderKind, coded_enum, line::RowKind};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::Arc, sync::LazyLock};

coded_enum! {
    /// What a batch of a profile must add up to.
    pub enum TotalRule as "total rule" {
        /// Files of the profile declare nothing.
        None = "none",
        /// All nets of a batch, the payout and carry-over rows included, sum to zero.
        BatchSumsToZero = "batch_sums_to_zero",
        /// The nets of a batch without its payout rows sum to minus the payout rows' net.
        PayoutEqualsNet = "payout_equals_net",
    }
}

coded_enum! {
    /// What a declared total belongs to.
    pub enum TotalScope as "total scope" {
        /// The file holds its batches whole: a total that does not tie holds the file.
        File = "file",
        /// Other files may hold more of the batch: judged when its payout is known.
        Batch = "batch",
    }
}

coded_enum! {
    /// How the decimal mark of a file is known.
    pub enum DecimalRule as "decimal mark" {
        /// By the format: a point.
        Point = "point",
        /// By the format: a comma.
        Comma = "comma",
        /// From the values of the whole file.
        Settle = "settle",
    }
}

coded_enum! {
    /// What a whole number in an amount column counts.
    pub enum Unit as "unit" {
        /// Euros, yen.
        Major = "major",
        /// Cents, yen: the provider's own minor unit.
        Minor = "minor",
    }
}

coded_enum! {
    /// Which time says the day that a row belongs to.
    pub enum Period as "period" {
        /// When it happened, else when it settled.
        Occurred = "occurred",
        /// When it settled, else when it happened.
        Settled = "settled",
    }
}

coded_enum! {
    /// Where the sign of the presented amount comes from.
    pub enum PresentedSign as "presented sign" {
        /// The file writes it.
        Own = "own",
        /// The gross amount's, since the provider is not consistent.
        Gross = "gross",
    }
}

coded_enum! {
    /// When amounts are part of a row's identity.
    pub enum IdentityAmounts as "identity amounts" {
        /// Never.
        Never = "never",
        /// On rows where one of the `when_empty` columns is empty.
        WhenEmpty = "when_empty",
        /// On every row.
        Always = "always",
    }
}

/// What a column-mapped file looks like.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The stable name, such as `adyen_settlement_detail`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// Kinds of account that receive such files; none named means all.
    #[serde(default)]
    pub providers: Vec<ProviderKind>,
    /// Delimiters to try.
    #[serde(default = "default_delimiters")]
    pub delimiters: Vec<char>,
    /// Which time says the day of a row.
    pub period: Period,
    /// First values, in any case, that make a line a footer.
    #[serde(default)]
    pub trailer_words: Vec<String>,
    /// Columns that recognise the file.
    pub header: HeaderRule,
    /// How amounts are written.
    pub number: NumberRule,
    /// How times are written.
    #[serde(default)]
    pub time: TimeRule,
    /// Where each text and time of a line stands.
    pub columns: ColumnRule,
    /// Where each amount of a line stands.
    pub amounts: AmountRule,
    /// What identifies a row that has no row id.
    pub identity: IdentityRule,
    /// What identifies a report, so that a re-issue is known.
    pub report: ReportRule,
    /// What a batch must add up to.
    pub total: TotalSpec,
    /// The provider's words for row kinds. A word that is not here gives `unrecognised`.
    pub kinds: BTreeMap<String, KindRule>,
}

/// Columns that recognise a file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeaderRule {
    /// All must be there.
    pub required: Vec<String>,
    /// Of each group at least one must be there.
    #[serde(default)]
    pub one_of: Vec<Vec<String>>,
    /// May be there.
    #[serde(default)]
    pub optional: Vec<String>,
}

/// How amounts are written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRule {
    /// How the decimal mark is known.
    pub decimal: DecimalRule,
    /// What a whole number counts.
    pub unit: Unit,
    /// Whether `$`, `€`, `£` or `¥` may stand before or behind the digits.
    #[serde(default)]
    pub currency_signs: bool,
}

/// How times are written, where it is not `YYYY-MM-DD` with or without a time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeRule {
    /// Patterns of chrono's `strftime`, tried in order; none means the ISO family.
    #[serde(default)]
    pub formats: Vec<String>,
}

/// What identifies a report.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportRule {
    /// The column whose value names the report; none: reports of this profile only overlap.
    #[serde(default)]
    pub column: Option<String>,
    /// Whether a report with that name is whole, so that a row's absence means removal.
    pub whole: bool,
}

/// What a batch must add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TotalSpec {
    /// The rule.
    pub rule: TotalRule,
    /// What the total belongs to.
    pub scope: TotalScope,
}

/// What a provider's word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum KindRule {
    /// Always the same.
    Always(RowKind),
    /// By the sign of gross; zero counts as negative.
    BySign {
        /// Gross below or at zero.
        negative: RowKind,
        /// Gross above zero.
        positive: RowKind,
    },
    /// By whether the row names a payment.
    ByPayment {
        /// It does.
        with_payment_id: RowKind,
        /// It does not.
        without_payment_id: RowKind,
    },
}

fn default_delimiters() -> Vec<char> {
    vec![',', ';', '\t']
}

impl KindRule {
    /// The kind of a row with this gross, that names a payment or does not.
    pub const fn kind(self, gross: i64, has_payment_id: bool) -> RowKind {
        match self {
            Self::Always(kind) => kind,
            Self::BySign { positive, .. } if gross > 0 => positive,
            Self::BySign { negative, .. } => negative,
            Self::ByPayment {
                with_payment_id, ..
            } if has_payment_id => with_payment_id,
            Self::ByPayment {
                without_payment_id, ..
            } => without_payment_id,
        }
    }
}

static BUILT_IN: LazyLock<Vec<Arc<Profile>>> = LazyLock::new(|| {
    [
        include_str!("../../profiles/tieout.toml"),
        include_str!("../../profiles/stripe.toml"),
        include_str!("../../profiles/adyen_settlement_detail.toml"),
    ]
    .into_iter()
    // A test reads each of them: none is lost here.
    .filter_map(|text| Profile::from_toml(text).ok())
    .map(Arc::new)
    .collect()
});

impl Profile {
    /// The profiles that come with Tieout.
    pub fn built_in() -> &'static [Arc<Self>] {
        &BUILT_IN
    }

    /// Reads and checks a profile.
    pub fn from_toml(text: &str) -> Result<Self, ProfileError> {
        let profile: Self = toml::from_str(text)
            .map_err(|error| ProfileError::Unreadable(error.to_string().trim().to_owned()))?;
        profile.check()?;
        Ok(profile)
    }

    /// Whether accounts of this kind receive such files. A generic account may receive any.
    pub fn serves(&self, kind: ProviderKind) -> bool {
        kind == ProviderKind::Generic || self.providers.is_empty() || self.providers.contains(&kind)
    }

    /// What a provider's word means, in whatever case it is written.
    pub fn kind_rule(&self, word: &str) -> Option<KindRule> {
        self.kinds
            .get(word)
            .or_else(|| {
                self.kinds
                    .iter()
                    .find(|(known, _)| known.eq_ignore_ascii_case(word))
                    .map(|(_, rule)| rule)
            })
            .copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_reads() {
        let names: Vec<_> = Profile::built_in()
            .iter()
            .map(|p| p.name.as_str())
            .collect();
        assert_eq!(names, ["tieout", "stripe", "adyen_settlement_detail"]);
    }
}
