//! Cases that move by time: those that wake, and those whose holder's time ran out.

use crate::{
    Engine, Error,
    derive::{Cause, Work, cases::Steps},
    in_tx,
    seal::Leaves,
    storage::{accounts, cases, sweep},
};
use domain::{cases::CaseState, time::Instant};

/// Wakes and lets go; returns how many moved.
pub async fn wake(engine: &Engine, now: Instant) -> Result<u64, Error> {
    if sweep::moving_cases(engine.store.read().await?, now.micros())
        .await?
        .is_empty()
    {
        return Ok(0);
    }
    in_tx!(engine.store, |tx| {
        let known = accounts::all(&mut *tx).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let ids = sweep::moving_cases(&mut *tx, now.micros()).await?;
        let moving = cases::by_id(&mut *tx, ids.into_iter()).await?;
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
