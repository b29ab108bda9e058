//! Profiles: what a column-mapped file looks like, as data.
//!
//! A profile is a TOML text: built in (`domain/profiles`), or a user's own. Columns are named,
//! never counted, since providers move and append them. Names are compared without regard to
//! case, outer white space and the length of inner white space.

use crate::{account::ProviderKind, coded_enum, line::RowKind, time::Zone};
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

/// Where each text and time of a line stands. The first source with a value wins.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnRule {
    /// The provider's unique row id.
    #[serde(default)]
    pub row_id: Vec<Source>,
    /// The provider's word for the row kind.
    pub kind: Vec<Source>,
    /// The payment's id at the provider.
    #[serde(default)]
    pub payment_id: Vec<Source>,
    /// The refund's or dispute's id at the provider.
    #[serde(default)]
    pub modification_id: Vec<Source>,
    /// The reference that we sent, unless the account's policy names another column.
    #[serde(default)]
    pub reference: Vec<Source>,
    /// The provider's grouping.
    #[serde(default)]
    pub batch_id: Vec<Source>,
    /// Who paid or was paid.
    #[serde(default)]
    pub counterparty: Vec<Source>,
    /// Free text.
    #[serde(default)]
    pub description: Vec<Source>,
    /// When it happened.
    #[serde(default)]
    pub occurred_at: Vec<TimeSource>,
    /// When it settled.
    #[serde(default)]
    pub settled_at: Vec<TimeSource>,
}

/// A column that a text comes from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Source {
    /// On every row. A name with `*` stands for all columns that fit it, in the file's order.
    Any(String),
    /// On rows of these kinds only.
    Kinds {
        /// The column's name.
        column: String,
        /// The kinds.
        kinds: Vec<RowKind>,
    },
}

/// A column that a time comes from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeSource {
    /// The column's name.
    pub column: String,
    /// The zone of times without an offset; none means the account's.
    #[serde(default)]
    pub zone: Option<Zone>,
    /// The column that names the zone by abbreviation, offset or IANA name.
    #[serde(default)]
    pub zone_column: Option<String>,
}

/// Where each amount stands. Of gross, fee and net the one that is missing follows from the rest.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AmountRule {
    /// Currency of gross, fee and net.
    pub currency: String,
    /// Gross that moved at the provider.
    #[serde(default)]
    pub gross: Option<AmountSource>,
    /// Fee, positive when charged.
    #[serde(default)]
    pub fee: Option<AmountSource>,
    /// Net that moved at the provider.
    #[serde(default)]
    pub net: Option<AmountSource>,
    /// What the payer saw.
    #[serde(default)]
    pub presented: Option<AmountSource>,
    /// Currency of what the payer saw.
    #[serde(default)]
    pub presented_currency: Option<String>,
    /// Where the presented amount's sign comes from.
    #[serde(default = "own_sign")]
    pub presented_sign: PresentedSign,
}

/// The column or columns that an amount comes from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum AmountSource {
    /// One signed column.
    Signed {
        /// The column's name.
        column: String,
    },
    /// Two unsigned columns: credit less debit.
    Pair {
        /// The column that lowers our balance.
        debit: String,
        /// The column that raises it.
        credit: String,
    },
    /// An unsigned column and one that says its direction.
    Marked {
        /// The column with the amount.
        amount: String,
        /// The column with the direction.
        mark: String,
        /// Words for a credit.
        credit_words: Vec<String>,
        /// Words for a debit.
        debit_words: Vec<String>,
    },
    /// Several signed columns added; empty ones count nothing.
    Sum {
        /// The columns' names.
        sum: Vec<String>,
        /// The column that counts where all of them are empty.
        #[serde(default)]
        otherwise: Option<String>,
    },
}

/// What identifies a row that has no row id.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityRule {
    /// The columns; none means all of the file's.
    #[serde(default)]
    pub columns: Vec<String>,
    /// When currency, gross, fee and net count too.
    pub amounts: IdentityAmounts,
    /// Columns of which an empty one brings the amounts in.
    #[serde(default)]
    pub when_empty: Vec<String>,
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

/// Why a text is no usable profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// Not TOML, or not the fields of a profile.
    #[error("the profile cannot be read: {0}")]
    Unreadable(String),
    /// A name of ours is `a-z`, digits and `_`, up to 60 characters.
    #[error(
        "{0:?} is no name for a profile: use up to 60 of a-z, digits and _, starting with a letter"
    )]
    BadName(String),
    /// A field points at a column that the header rule does not list.
    #[error(
        "{field} of profile {profile} names the column {column:?}, which its header does not list"
    )]
    UnlistedColumn {
        /// The profile.
        profile: String,
        /// The field.
        field: &'static str,
        /// The column.
        column: String,
    },
    /// Too little to make a line.
    #[error("profile {profile}: {what}")]
    Incomplete {
        /// The profile.
        profile: String,
        /// What is missing.
        what: &'static str,
    },
    /// A delimiter that cannot be told from text.
    #[error("profile {profile}: {delimiter:?} cannot be a delimiter")]
    BadDelimiter {
        /// The profile.
        profile: String,
        /// The character.
        delimiter: char,
    },
    /// A time pattern that chrono does not understand.
    #[error("profile {profile}: {pattern:?} is no time pattern")]
    BadTimePattern {
        /// The profile.
        profile: String,
        /// The pattern.
        pattern: String,
    },
}

fn default_delimiters() -> Vec<char> {
    vec![',', ';', '\t']
}

const fn own_sign() -> PresentedSign {
    PresentedSign::Own
}

impl Source {
    /// The column's name as the profile writes it.
    pub fn column(&self) -> &str {
        match self {
            Self::Any(column) | Self::Kinds { column, .. } => column,
        }
    }
}

impl AmountSource {
    /// Every column it reads.
    pub fn columns(&self) -> Vec<&str> {
        match self {
            Self::Signed { column } => vec![column],
            Self::Pair { debit, credit } => vec![debit, credit],
            Self::Marked { amount, mark, .. } => vec![amount, mark],
            Self::Sum { sum, otherwise } => sum
                .iter()
                .chain(otherwise.iter())
                .map(String::as_str)
                .collect(),
        }
    }
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

    fn check(&self) -> Result<(), ProfileError> {
        let mut letters = self.name.bytes();
        let starts_well = letters.next().is_some_and(|b| b.is_ascii_lowercase());
        let goes_on_well =
            letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !starts_well || !goes_on_well || self.name.len() > 60 {
            return Err(ProfileError::BadName(self.name.chars().take(60).collect()));
        }
        let incomplete = |what| {
            Err(ProfileError::Incomplete {
                profile: self.name.clone(),
                what,
            })
        };
        if self.header.required.is_empty() {
            return incomplete("no column is required, so no file can be recognised");
        }
        if self.header.one_of.iter().any(Vec::is_empty) {
            return incomplete("a group of header.one_of is empty");
        }
        if self.columns.kind.is_empty() {
            return incomplete("no column gives the row kind");
        }
        if self.amounts.net.is_none() && self.amounts.gross.is_none() {
            return incomplete("neither gross nor net has a column");
        }
        if self.delimiters.is_empty() {
            return incomplete("no delimiter");
        }
        for &delimiter in &self.delimiters {
            let usable =
                delimiter == '\t' || (delimiter.is_ascii_punctuation() && delimiter != '"');
            if !usable {
                return Err(ProfileError::BadDelimiter {
                    profile: self.name.clone(),
                    delimiter,
                });
            }
        }
        for pattern in &self.time.formats {
            let mut items = chrono::format::StrftimeItems::new(pattern);
            if items.any(|item| item == chrono::format::Item::Error) {
                return Err(ProfileError::BadTimePattern {
                    profile: self.name.clone(),
                    pattern: pattern.clone(),
                });
            }
        }
        for (field, column) in self.named_columns() {
            if !self.lists(column) {
                return Err(ProfileError::UnlistedColumn {
                    profile: self.name.clone(),
                    field,
                    column: column.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Every column that a field reads, with the field's name.
    fn named_columns(&self) -> Vec<(&'static str, &str)> {
        let columns = &self.columns;
        let mut named = Vec::new();
        for (field, sources) in [
            ("row_id", &columns.row_id),
            ("kind", &columns.kind),
            ("payment_id", &columns.payment_id),
            ("modification_id", &columns.modification_id),
            ("reference", &columns.reference),
            ("batch_id", &columns.batch_id),
            ("counterparty", &columns.counterparty),
            ("description", &columns.description),
        ] {
            named.extend(sources.iter().map(|source| (field, source.column())));
        }
        for (field, sources) in [
            ("occurred_at", &columns.occurred_at),
            ("settled_at", &columns.settled_at),
        ] {
            for source in sources {
                named.push((field, source.column.as_str()));
                named.extend(source.zone_column.iter().map(|c| (field, c.as_str())));
            }
        }
        let amounts = &self.amounts;
        named.push(("currency", &amounts.currency));
        named.extend(
            amounts
                .presented_currency
                .iter()
                .map(|c| ("presented_currency", c.as_str())),
        );
        for (field, source) in [
            ("gross", &amounts.gross),
            ("fee", &amounts.fee),
            ("net", &amounts.net),
            ("presented", &amounts.presented),
        ] {
            if let Some(source) = source {
                named.extend(source.columns().into_iter().map(|c| (field, c)));
            }
        }
        named.extend(
            self.identity
                .columns
                .iter()
                .map(|c| ("identity", c.as_str())),
        );
        named.extend(
            self.identity
                .when_empty
                .iter()
                .map(|c| ("identity", c.as_str())),
        );
        named.extend(self.report.column.iter().map(|c| ("report", c.as_str())));
        named
    }

    fn lists(&self, column: &str) -> bool {
        self.header
            .required
            .iter()
            .chain(self.header.optional.iter())
            .chain(self.header.one_of.iter().flatten())
            .any(|listed| listed == column)
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
