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

/// Wakes and lets go, as many cases a unit of work as told; returns how many moved. An account whose cases
/// cannot be moved stops no other.
pub async fn wake(
    engine: &Engine,
    now: Instant,
    at_once: i64,
    failed: &mut Failed,
) -> Result<u64, Error> {
    let mut reading = engine.store.read().await?;
    let accounts = sweep::accounts_of_moving_cases(&mut reading, now.micros()).await?;
    drop(reading);
    let mut moved = 0;
    for account in accounts {
        loop {
            let some = failed.unless(account, wake_some(engine, account, now, at_once).await);
            if some == 0 {
                break;
            }
            moved += some;
        }
    }
    Ok(moved)
}

/// The first ones of an account, behind its gate: a case that somebody moves meanwhile is left to them.
async fn wake_some(
    engine: &Engine,
    account: i64,
    now: Instant,
    at_once: i64,
) -> Result<u64, Error> {
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account).await?;
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let ids = sweep::moving_cases(&mut *tx, account, now.micros(), at_once).await?;
        let moving = cases::by_id(&mut *tx, ids.into_iter()).await?;
        let cause = Cause {
            kind: "sweep",
            name: "time",
            actor: "tieout",
            decided: None,
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
