//! What only time makes: unknown outcomes past grace, settlements due, files missing, cases that
//! wake.

use engine::{
    Engine,
    sweep::{LookedBack, sweep_again},
};
use std::{sync::Arc, time::Duration};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

const PERIOD: Duration = Duration::from_mins(1);

/// Runs until stopped.
pub async fn job(engine: Engine, stopping: CancellationToken) {
    let looked: Arc<Mutex<LookedBack>> = Arc::default();
    let turn = move |engine| turn(engine, looked.clone());
    super::repeat::every(PERIOD, "sweep", engine, stopping, turn).await;
}

async fn turn(engine: Engine, looked: Arc<Mutex<LookedBack>>) -> Result<(), engine::Error> {
    let now = engine.now();
    sweep_again(&engine, now, &mut *looked.lock().await).await?;
    Ok(())
}
