//! Where each value of a line stands: columns by name.

use super::{IdentityAmounts, PresentedSign};
use crate::{line::RowKind, time::Zone};
use serde::Deserialize;

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
