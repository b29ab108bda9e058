//! Partial captures whose rest is due. Where an account expects parts, the case of a payment that came
//! in part waits until then; time brings nothing new to judge, so what stands in conflict is judged
//! again.

use super::outcomes::cause;
use crate::{
    Error,
    derive::{Buckets, Derived, Seeds, derive},
    seal::Leaves,
    storage::{Tx, sweep},
};
use domain::{
    account::{PartialCaptures, ProviderAccount},
    matching::Accounts,
    time::Instant,
};

/// Judges lines in conflict again where parts are expected.
pub async fn parts(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
) -> Result<Derived, Error> {
    if account.policy.partial_captures == PartialCaptures::Unexpected {
        return Ok(Derived::default());
    }
    let seeds = Seeds {
        lines: sweep::conflicting_lines(&mut *tx, account.id)
            .await?
            .into_iter()
            .collect(),
        ..Seeds::default()
    };
    if seeds.lines.is_empty() {
        return Ok(Derived::default());
    }
    derive(tx, leaves, known, &seeds, Buckets::Given(&[]), cause(now)).await
}
