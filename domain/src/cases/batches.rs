//! Whether a batch ties.

use super::wanted::WantedCase;
use crate::{
    account::ProviderAccount,
    matching::LineName,
    money::{AmountOverflow, Currency},
    time::{Day, Instant},
};

/// What is known of a batch in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchStanding {
    /// The provider's id.
    pub provider_batch_id: String,
    /// The currency.
    pub currency: Currency,
    /// Sum of net over all rows but payouts.
    pub net: i64,
    /// How many payout rows are known.
    pub payouts: i64,
    /// Sum of their net.
    pub payout_net: i64,
    /// What the file or report declares as the batch's net without payouts, if anything.
    pub declared: Option<i64>,
    /// Residual that a decision accepted.
    pub accepted: i64,
    /// Its last day.
    pub last_day: Day,
    /// Rows whose net is not gross minus fee, a few of them.
    pub odd_rows: Vec<LineName>,
}

impl BatchStanding {
    /// What is left in clearing: zero ties.
    pub fn residual(&self) -> Result<i64, AmountOverflow> {
        let accepted = self.accepted.checked_neg().ok_or(AmountOverflow)?;
        crate::money::sum([self.net, self.payout_net, accepted])
    }
}

/// The case of a batch that does not tie once it is due, if it is one by now. A batch without a
/// payout row is open and judged by its declared total alone.
pub fn batch_due(
    _account: &ProviderAccount,
    _batch: &BatchStanding,
    _now: Instant,
) -> Result<Option<WantedCase>, AmountOverflow> {
    Ok(None)
}
