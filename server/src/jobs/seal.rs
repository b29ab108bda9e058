//! Appends blocks over what was recorded since the last one.

use engine::{Engine, seal::append_blocks};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const PERIOD: Duration = Duration::from_secs(1);

/// Runs until stopped, and once more then, so that nothing stays unsealed over a stop.
pub async fn job(engine: Engine, stopping: CancellationToken) {
    super::repeat::every(PERIOD, "seal", engine.clone(), stopping, turn).await;
    if let Err(error) = turn(engine).await {
        tracing::error!(%error, "sealing at the end failed; the next start does it");
    }
}

async fn turn(engine: Engine) -> Result<(), engine::Error> {
    append_blocks(&engine).await.map(|_| ())
}
