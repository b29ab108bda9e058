//! Forgets sessions that ended.

use engine::{Engine, sessions};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

const PERIOD: Duration = Duration::from_mins(10);

/// Runs until stopped.
pub async fn job(engine: Engine, stopping: CancellationToken) {
    super::repeat::every(PERIOD, "expire_sessions", engine, stopping, turn).await;
}

async fn turn(engine: Engine) -> Result<u64, engine::Error> {
    sessions::delete_expired(&engine).await
}
