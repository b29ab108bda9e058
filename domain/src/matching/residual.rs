//! R4: lines that name nobody, against open attempts of the same account, currency, amount and
//! direction.

use super::{
    facts::{Accounts, IntentFacts, LineFacts},
    judgement::Judgement,
};
use crate::money::AmountOverflow;
use std::collections::BTreeSet;

/// What the residual stage is given: one or more whole buckets.
///
/// A bucket is (account, presented currency, amount, direction). For each bucket concerned it needs
/// every nameless line of payment, disbursement and refund kind, and every intent with an attempt
/// in the account that is neither rejected nor absent and to which no line is tied. Lines of other
/// kinds may be there too: nothing is proposed for them. Lines that share a provider id with one of
/// them must be there, since a payment and its refund that net to zero need nobody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResidualWorld {
    /// The lines that name nobody.
    pub lines: Vec<LineFacts>,
    /// The intents with open attempts.
    pub intents: Vec<IntentFacts>,
    /// Keys of lines whose whole window is covered by complete periods.
    pub covered: BTreeSet<i64>,
}

/// Proposals, conflicts and unexplained lines. Gives a verdict and at most one case per line; of the
/// other parts of a judgement none, save figures and outcomes where policy makes a match automatic.
pub fn judge_residual(
    _accounts: &Accounts,
    _world: &ResidualWorld,
) -> Result<Judgement, AmountOverflow> {
    Ok(Judgement::default())
}
