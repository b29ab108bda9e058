//! A job again and again, until the server stops. A failure is logged and the next turn tries anew.

use engine::Engine;
use std::{fmt::Display, time::Duration};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// After failures in a row, turns become rarer, up to this many periods apart.
const MOST_PERIODS_BETWEEN_TRIES: u32 = 30;

/// Runs `work` once a period. A turn that has begun is finished before the job stops.
pub async fn every<W, T, E>(
    period: Duration,
    name: &'static str,
    engine: Engine,
    stopping: CancellationToken,
    work: impl Fn(Engine) -> W,
) where
    W: Future<Output = Result<T, E>>,
    E: Display,
{
    let mut turns = interval(period);
    turns.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failures = 0_u32;
    loop {
        let turn = async {
            turns.tick().await;
            for _ in 1..failures.min(MOST_PERIODS_BETWEEN_TRIES) {
                turns.tick().await;
            }
        };
        tokio::select! {
            () = stopping.cancelled() => return,
            () = turn => {}
        }
        match work(engine.clone()).await {
            Ok(_) => failures = 0,
            Err(error) => {
                failures = failures.saturating_add(1);
                tracing::error!(job = name, failures, %error, "a job failed and will be tried again");
            }
        }
    }
}
