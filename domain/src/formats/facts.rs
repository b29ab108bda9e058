//! What pass one learns of a file: counts, totals and whether what it declares ties.

use super::{Row, profile::Profile};
use crate::{line::RowKind, money::Currency, time::Day};
use std::collections::BTreeMap;

/// Sums of one batch in one currency, in minor units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchTotal {
    /// The provider's batch id, or empty for rows without one.
    pub batch_id: String,
    /// The currency of the sums.
    pub currency: Currency,
    /// Sum of gross over all readable rows but payouts.
    pub gross: i128,
    /// Sum of fees over all readable rows but payouts.
    pub fee: i128,
    /// Sum of net over all readable rows but payouts.
    pub net: i128,
    /// What is declared to have been paid out or totalled, if the file declares it.
    pub declared: Option<i128>,
    /// Rows in it.
    pub rows: u64,
}

/// What pass one knows of a whole file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// Data rows: lines and rejected ones.
    pub rows: u64,
    /// Rows that could be read.
    pub lines: u64,
    /// Rows that could not.
    pub rejected: u64,
    /// Blank lines and trailers.
    pub blank: u64,
    /// Readable rows by kind.
    pub kinds: BTreeMap<RowKind, u64>,
    /// Days that the rows span, in the account's zone.
    pub first_day: Option<Day>,
    /// See `first_day`.
    pub last_day: Option<Day>,
    /// Sums by batch and currency.
    pub totals: BTreeMap<(String, Currency), BatchTotal>,
}

impl BatchTotal {
    /// Declared less summed; nothing where nothing is declared.
    pub fn residual(&self) -> Option<i128> {
        self.declared.map(|d| d - self.net)
    }

    /// Whether it ties; nothing declared never ties.
    pub fn ties(&self) -> Option<bool> {
        self.residual().map(|r| r == 0)
    }
}

impl FileFacts {
    /// Adds one row.
    pub fn add(&mut self, _profile: &Profile, _row: &Row) {
        // written by the formats work
    }
}
