//! Partial captures whose rest is due. Where an account expects parts, the case of a payment that came
//! in part waits until then; time brings nothing new to judge, so what stands in conflict is judged
//! again.

use super::outcomes::cause;
use crate::{
    Error,
    derive::{Buckets, Derived, Seeds, derive},
    seal::Leaves,
    storage::{
        Tx,
        sweep::{self, Page},
    },
};
use domain::{
    account::{PartialCaptures, ProviderAccount},
    matching::Accounts,
    time::Instant,
};

/// Judges a page of lines in conflict again where parts are expected, and tells where the next begins.
pub async fn parts(
    tx: &mut Tx,
    leaves: &mut Leaves,
    known: &Accounts,
    account: &ProviderAccount,
    now: Instant,
    page: Page,
) -> Result<(Derived, Option<Page>), Error> {
    if account.policy.partial_captures == PartialCaptures::Unexpected {
        return Ok((Derived::default(), None));
    }
    let lines = sweep::conflicting_lines(&mut *tx, account.id, page).await?;
    let Some(last) = lines.last().copied() else {
        return Ok((Derived::default(), None));
    };
    let seeds = Seeds {
        lines: lines.into_iter().collect(),
        ..Seeds::default()
    };
    let given = Buckets::Given(&[]);
    let derived = derive(tx, leaves, known, account.id, &seeds, given, cause(now)).await?;
    Ok((derived, Some(Page { id: last, ..page })))
}
