//! Judges again what payments and lines that came at the same moment may have missed of each other.

use engine::{Engine, rematch};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const PERIOD: Duration = Duration::from_secs(2);

/// Runs until stopped.
pub async fn job(engine: Engine, stopping: CancellationToken) {
    super::repeat::every(PERIOD, "rematch", engine, stopping, turn).await;
}

async fn turn(engine: Engine) -> Result<(), engine::Error> {
    rematch::drain(&engine).await
}
