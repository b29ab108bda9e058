//! Cases that move by time: those that wake, and those whose holder's time ran out.

use super::Failed;
use crate::{
    Engine, Error,
    derive::{Cause, Work, cases::Steps},
    in_tx,
    seal::Leaves,
    storage::{accounts, cases, sweep},
};
use domain::{cases::CaseState, time::Instant};
use std::collections::BTreeSet;

/// Wakes and lets go; returns how many moved. An account whose cases cannot be moved stops no other.
pub async fn wake(engine: &Engine, now: Instant, failed: &mut Failed) -> Result<u64, Error> {
    let ids = sweep::moving_cases(engine.store.read().await?, now.micros()).await?;
    let moving = cases::by_id(engine.store.read().await?, ids.into_iter()).await?;
    let accounts: BTreeSet<i64> = moving.iter().map(|case| case.account_id).collect();
    let mut moved = 0;
    for account in accounts {
        let of_account = wake_account(engine, account, now).await;
        moved += failed.unless(account, of_account);
    }
    Ok(moved)
}

/// The same of one account, behind its gate: a case that somebody moves meanwhile is left to them.
async fn wake_account(engine: &Engine, account: i64, now: Instant) -> Result<u64, Error> {
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account).await?;
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let ids = sweep::moving_cases(&mut *tx, now.micros()).await?;
        let mut moving = cases::by_id(&mut *tx, ids.into_iter()).await?;
        moving.retain(|case| case.account_id == account);
        let cause = Cause {
            kind: "sweep",
            name: "time",
            actor: "tieout",
            person: false,
            now,
        };
        let mut work = Work {
            tx,
            leaves: &mut leaves,
            accounts: &known,
            cause,
        };
        let mut steps = Steps::default();
        let moved = moving.len() as u64;
        for mut case in moving {
            let what = if case.state == CaseState::Waiting.code() {
                "woke"
            } else {
                "released"
            };
            case.owner_id = None;
            case.lease_until = None;
            case.wake_at = None;
            steps.step(&work, &mut case, what, CaseState::Open, "")?;
        }
        steps.write(&mut work).await?;
        leaves.write(tx).await?;
        Ok(moved)
    })
}
