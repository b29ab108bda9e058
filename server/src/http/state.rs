//! What every handler can reach.

use engine::{Engine, EvidenceStore};
use std::{ops::Deref, sync::Arc};
use tokio_util::sync::CancellationToken;

use super::config::WebConfig;
use crate::jobs::{ingest::Bell, progress::Progress};

/// Shared by all requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Web(Arc<Shared>);

/// What [`Web`] shares.
#[derive(Debug)]
pub struct Shared {
    /// The use cases' database, clock and ids.
    pub engine: Engine,
    /// Raw files.
    pub evidence: EvidenceStore,
    /// How the web is served.
    pub config: WebConfig,
    /// How far files under way have come.
    pub progress: Progress,
    /// Tells the jobs that a file was received.
    pub bell: Bell,
    /// Cancelled when the server stops: event streams end then.
    pub stopping: CancellationToken,
}

impl Web {
    /// Shares these.
    pub fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

impl Deref for Web {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
