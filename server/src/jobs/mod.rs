//! What runs by itself beside the web.
//!
//! | Module | Does |
//! |---|---|
//! | [`progress`] | tells pages how far files have come |
//! | [`seal`] | appends blocks over what was recorded, each second |
//! | [`expire_sessions`] | forgets sessions that ended |
//! | [`repeat`] | how a job is run again and again until the server stops |
//!
//! Several servers on one database may run the same jobs: each is safe to run twice.

pub mod expire_sessions;
pub mod progress;
pub mod repeat;
pub mod seal;

use engine::Engine;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Jobs under way.
#[derive(Debug)]
pub struct Jobs(JoinSet<()>);

impl Jobs {
    /// Starts all of them; they stop on the token.
    pub fn start(engine: &Engine, stopping: &CancellationToken) -> Self {
        let mut jobs = JoinSet::new();
        jobs.spawn(seal::job(engine.clone(), stopping.clone()));
        jobs.spawn(expire_sessions::job(engine.clone(), stopping.clone()));
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
