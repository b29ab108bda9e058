//! One pass of the checks that only time makes: unknown outcomes past grace, settlements due and not
//! there, files not there, batches that do not tie, leases that ran out, cases that wake.

use crate::{Error, seal::Leaves, storage::Tx};
use domain::{account::ProviderAccount, matching::Accounts, time::Instant};

/// Brings the cases of missing files of an account up to date.
pub async fn coverage(
    _tx: &mut Tx,
    _leaves: &mut Leaves,
    _known: &Accounts,
    _account: &ProviderAccount,
    _now: Instant,
) -> Result<(), Error> {
    Ok(())
}
