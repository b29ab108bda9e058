//! What only time makes: unknown outcomes past grace, settlements due, files missing, cases that
//! wake.

use engine::{Engine, sweep};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const PERIOD: Duration = Duration::from_mins(1);

/// Runs until stopped.
pub async fn job(engine: Engine, stopping: CancellationToken) {
    super::repeat::every(PERIOD, "sweep", engine, stopping, turn).await;
}

async fn turn(engine: Engine) -> Result<(), engine::Error> {
    let now = engine.now();
    sweep::sweep(&engine, now).await.map(|_| ())
}
