//! Works on files that were received, and takes up those that a stop left in the middle.

use domain::{
    actor::Actor,
    view::files::{FileProgress, FileState},
};
use engine::{
    Engine, EvidenceStore,
    ingest::{self, Ingest, ROWS_AT_ONCE},
    views,
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
    let reports = desk.clone();
    let work = Ingest {
        engine: desk.engine.clone(),
        evidence: desk.evidence.clone(),
        tell: Arc::new(move |step| tell(&reports, step)),
        rows_at_once: ROWS_AT_ONCE,
    };
    if let Err(error) = ingest::work_all(&work).await {
        tracing::error!(%error, "work on settlement files failed and will be tried again");
    }
    // How those stand that are not done: one may have been given up on, or received just now.
    let board = desk.progress.now();
    let open = board.values().filter(|file| !file.done);
    report_stored(desk, open.map(|file| file.id.clone()).collect()).await;
}

/// Passes a step on. Of a file that is done the database tells how it ended.
fn tell(desk: &Desk, step: ingest::Progress) {
    let state = state_of(&step.state);
    if state.is_loading() && step.state != ingest::STOPPED {
        desk.progress.report(FileProgress {
            id: step.file,
            name: String::new(),
            state,
            rows_done: step.rows_done,
            rows_total: step.rows_total,
            done: false,
            waits: step.state == ingest::WAITING,
            summary: String::new(),
        });
    } else {
        let desk = desk.clone();
        tokio::spawn(async move { report_stored(&desk, vec![step.file]).await });
    }
}

async fn report_stored(desk: &Desk, files: Vec<String>) {
    if files.is_empty() {
        return;
    }
    match views::file_progress(&desk.engine, &Actor::System, &files).await {
        Ok(found) => {
            let board = desk.progress.now();
            for mut file in found {
                // The database does not know who waits for whom; whoever goes on says so.
                file.waits = !file.done && board.get(&file.id).is_some_and(|f| f.waits);
                desk.progress.report(file);
            }
        }
        Err(error) => tracing::warn!(%error, "how far files have come could not be read"),
    }
}

/// The state as pages know it: writing the rows of a file that will be held is part of reading it.
fn state_of(code: &str) -> FileState {
    match code {
        "HOLDING" => FileState::Reading,
        code => code.parse().unwrap_or(FileState::Received),
    }
}
