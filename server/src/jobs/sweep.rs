//! What only time makes: unknown outcomes past grace, settlements due, files missing, cases that
//! wake.

use engine::{
    Engine,
    sweep::{self, Mark, Reach},
};
use std::{sync::Arc, time::Duration};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

const PERIOD: Duration = Duration::from_mins(1);

/// Runs until stopped. All attempts are looked at once a day and whenever a file or an import of
/// payments came, which could concern old ones; in between the recent ones are.
pub async fn job(engine: Engine, stopping: CancellationToken) {
    let looked_at_all: Arc<Mutex<Option<Mark>>> = Arc::default();
    let turn = move |engine| turn(engine, looked_at_all.clone());
    super::repeat::every(PERIOD, "sweep", engine, stopping, turn).await;
}

async fn turn(
    engine: Engine,
    looked_at_all: Arc<Mutex<Option<Mark>>>,
) -> Result<(), engine::Error> {
    let now = engine.now();
    let mut last = looked_at_all.lock().await;
    let mark = sweep::mark(&engine, now).await?;
    let reach = if *last == Some(mark) {
        Reach::Recent
    } else {
        Reach::Whole
    };
    sweep::sweep_back(&engine, now, reach).await?;
    *last = Some(mark);
    Ok(())
}
