//! What runs by itself beside the web.
//!
//! | Module | Does |
//! |---|---|
//! | [`ingest`] | works on files that were received |
//! | [`rematch`] | judges again what others may have missed |
//! | [`sweep`] | checks what only time makes, each minute |
//! | [`progress`] | tells pages how far files have come |
//! | [`seal`] | appends blocks over what was recorded, each second |
//! | [`expire_sessions`] | forgets sessions that ended |
//! | [`repeat`] | how a job is run again and again until the server stops |
//! | [`mod@kept`] | how a job is begun again that panicked |
//!
//! Several servers on one database may run the same jobs: each is safe to run twice.

pub mod expire_sessions;
pub mod ingest;
mod kept;
pub mod progress;
pub mod rematch;
pub mod repeat;
pub mod seal;
pub mod sweep;

use ingest::Desk;
use kept::{PAUSE, kept};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Jobs under way.
#[derive(Debug)]
pub struct Jobs(JoinSet<()>);

impl Jobs {
    /// Starts all of them; they stop on the token.
    pub fn start(desk: Desk, stopping: &CancellationToken) -> Self {
        let engine = desk.engine.clone();
        let mut jobs = JoinSet::new();
        let stop = || stopping.clone();
        jobs.spawn(kept("ingest", PAUSE, desk, stop(), ingest::job));
        jobs.spawn(kept("rematch", PAUSE, engine.clone(), stop(), rematch::job));
        jobs.spawn(kept("sweep", PAUSE, engine.clone(), stop(), sweep::job));
        jobs.spawn(kept("seal", PAUSE, engine.clone(), stop(), seal::job));
        jobs.spawn(kept(
            "expire_sessions",
            PAUSE,
            engine,
            stop(),
            expire_sessions::job,
        ));
        Self(jobs)
    }

    /// Waits until each has finished what it was doing.
    pub async fn finished(mut self) {
        while let Some(ended) = self.0.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a job ended in a panic");
            }
        }
    }
}
