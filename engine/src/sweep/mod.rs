//! One pass of the checks that only time makes. The time is a parameter.
//!
//! | File | Checks |
//! |---|---|
//! | [`outcomes`] | leases that ran out, attempts unknown past grace, settlements due and not there |
//! | [`coverage`] | days of which no file came |
//! | [`parts`] | payments that came in part and whose rest is due |
//! | [`wake`] | cases that wake, and cases whose holder's time ran out |

mod coverage;
mod outcomes;
mod parts;
mod wake;

pub use coverage::{coverage, covered_days, due_in, is_dismissed};

use crate::{
    Engine, Error, in_tx,
    ingest::close,
    seal::Leaves,
    storage::{accounts, files},
};
use domain::time::Instant;

/// What a sweep did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Swept {
    /// Attempts whose lease ran out.
    pub leases_over: u64,
    /// Cases that opened or opened again.
    pub cases_opened: u64,
    /// Cases that closed by themselves.
    pub cases_closed: u64,
    /// Cases that woke, or were let go.
    pub cases_moved: u64,
}

/// Checks every account as of an instant.
pub async fn sweep(engine: &Engine, now: Instant) -> Result<Swept, Error> {
    let mut swept = Swept {
        cases_moved: wake::wake(engine, now).await?,
        ..Swept::default()
    };
    let known = accounts::all(engine.store.read().await?).await?;
    for account in known.values() {
        // A file on its way may bring what seems to be missing.
        let busy = !files::unfinished_of_account(engine.store.read().await?, account.id)
            .await?
            .is_empty();
        if busy {
            continue;
        }
        let derived = in_tx!(engine.store, |tx| {
            accounts::pass_gate(tx, account.id).await?;
            let mut leaves = Leaves::begin(tx, &engine.sources).await?;
            let mut derived = outcomes::end_leases(tx, &mut leaves, &known, account, now).await?;
            derived.1 += outcomes::unknown(tx, &mut leaves, &known, account, now).await?;
            derived.1 += outcomes::unsettled(tx, &mut leaves, &known, account, now).await?;
            derived.1 += parts::parts(tx, &mut leaves, &known, account, now).await?;
            derived.1 += coverage(tx, &mut leaves, &known, account, now).await?;
            derived.1 += close::batch_cases(tx, &mut leaves, &known, account, now).await?;
            leaves.write(tx).await?;
            Ok(derived)
        })?;
        swept.leases_over += derived.0;
        swept.cases_opened += derived.1.cases_opened;
        swept.cases_closed += derived.1.cases_closed;
    }
    Ok(swept)
}
