//! Works on files that were received, and takes up those that a stop left in the middle.

use domain::view::{
    amount::count,
    files::{FileProgress, FileState},
};
use engine::{
    Engine, EvidenceStore,
    ingest::{self, Ingest},
};
use std::{sync::Arc, time::Duration};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::progress::Progress;

/// Another server may have received a file, and a file may have failed: looked for this often.
const PERIOD: Duration = Duration::from_secs(5);

/// Wakes the job at once.
#[derive(Debug, Clone, Default)]
pub struct Bell(Arc<Notify>);

impl Bell {
    /// Says that a file was received.
    pub fn ring(&self) {
        self.0.notify_one();
    }
}

/// What the job works with.
#[derive(Debug, Clone)]
pub struct Desk {
    /// The database.
    pub engine: Engine,
    /// Raw files.
    pub evidence: EvidenceStore,
    /// Where it reports.
    pub progress: Progress,
    /// What wakes it.
    pub bell: Bell,
}

/// Runs until stopped. A transaction under way when the server stops is rolled back, and the next
/// start takes the file up at the last one that was committed.
pub async fn job(desk: Desk, stopping: CancellationToken) {
    loop {
        tokio::select! {
            () = stopping.cancelled() => return,
            () = turn(&desk) => {}
        }
        tokio::select! {
            () = stopping.cancelled() => return,
            () = desk.bell.0.notified() => {}
            () = tokio::time::sleep(PERIOD) => {}
        }
    }
}

async fn turn(desk: &Desk) {
    let reports = desk.progress.clone();
    let work = Ingest {
        engine: desk.engine.clone(),
        evidence: desk.evidence.clone(),
        tell: Arc::new(move |step| reports.report(shown(step))),
    };
    if let Err(error) = ingest::work_all(&work).await {
        tracing::error!(%error, "work on settlement files failed and will be tried again");
    }
    // Whatever still stands as under way was given up on: pages that follow it must not wait.
    for file in desk.progress.now().values().filter(|file| !file.done) {
        desk.progress.report(FileProgress {
            done: true,
            summary: "The work on this file stopped: its page says why.".to_owned(),
            ..file.clone()
        });
    }
}

fn shown(step: ingest::Progress) -> FileProgress {
    let state = state_of(&step.state);
    let done = !state.is_loading();
    let summary = if done {
        format!("{}: {} rows.", step.state, count(step.rows_total))
    } else {
        String::new()
    };
    FileProgress {
        id: step.file,
        name: String::new(),
        state,
        rows_done: step.rows_done,
        rows_total: step.rows_total,
        done,
        summary,
    }
}

/// The state as pages know it: writing the rows of a file that will be held is part of reading it.
fn state_of(code: &str) -> FileState {
    match code {
        "HOLDING" => FileState::Reading,
        code => code.parse().unwrap_or(FileState::Received),
    }
}
