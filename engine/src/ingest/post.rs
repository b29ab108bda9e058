//! Pass two: reads the bytes again in chunks and writes rows, simple verdicts, entries and leaves.
//!
//! While one chunk is written, the next one's candidates are looked up on another connection and the
//! one after that is parsed on another thread. Of a held file the rows alone are written.

mod chunk;
mod read;
mod simple;

use super::{
    Ingest, Progress, accept,
    account::{LEASE, LEASE_SECONDS},
    close,
    file::{self, Mover},
    report::FileReport,
};
use crate::{
    Engine, Error,
    seal::Leaves,
    storage::{
        Tx, accounts,
        files::{self, StoredFile},
        leases, stored,
    },
    unseen::Unseen,
};
use domain::{account::ProviderAccount, matching::Accounts};
use std::sync::Arc;

/// Chunks a transaction: with random unique keys larger transactions write fewer bytes.
const CHUNKS_PER_TX: usize = 10;

/// What stays the same for all chunks of a file.
pub(super) struct Posting {
    pub account: ProviderAccount,
    pub accounts: Accounts,
    pub file: StoredFile,
    pub report: FileReport,
    /// Only the rows are written; nothing is used.
    pub hold: bool,
    /// Whether candidates need every check.
    pub careful: bool,
    pub now: domain::time::Instant,
}

/// Writes what is left of a file, then moves it to HELD or CLOSING.
pub async fn write(
    ingest: &Ingest,
    account: &ProviderAccount,
    stored: StoredFile,
    owner: &str,
) -> Result<(), Error> {
    let engine = &ingest.engine;
    let report: FileReport = stored::json("file_now", "report", &stored.public_id, &stored.report)?;
    let mut reading = engine.store.read().await?;
    let known = accounts::all(&mut reading).await?;
    let careful = files::needs_care(&mut reading, account.id).await?;
    drop(reading);
    let accepted_late = stored.state == "POSTING" && stored.rows_done == 0 && report.rows_written;
    if accepted_late && accept::hold_again_if_restated(engine, account, &known, stored.id).await? {
        tell(ingest, &stored, "HELD", 0);
        return Ok(());
    }
    let posting = Arc::new(Posting {
        account: account.clone(),
        accounts: known,
        hold: stored.state == "HOLDING",
        report,
        careful,
        now: engine.now(),
        file: stored,
    });
    write_chunks(ingest, &posting, owner).await?;
    finish(ingest, &posting).await
}

async fn write_chunks(ingest: &Ingest, posting: &Arc<Posting>, owner: &str) -> Result<(), Error> {
    let (engine, file) = (&ingest.engine, &posting.file);
    let rows = read::rows(ingest, posting).await?;
    let mut chunks = simple::look_up_ahead(engine, posting, rows);
    let mut done = u64::try_from(file.rows_done).unwrap_or(0);
    let mut taken = Unseen::default();
    let mut next = chunks.recv().await.transpose()?;
    while next.is_some() {
        let mut tx = engine.store.begin().await?;
        taken.begin(accounts::pass_gate(&mut tx, posting.account.id).await?);
        let mut leaves = Leaves::begin(&mut tx, &engine.sources).await?;
        let mut last_line = 0;
        for _ in 0..CHUNKS_PER_TX {
            let Some(mut chunk) = next.take() else { break };
            done += chunk.rows.len();
            last_line = chunk.rows.last_line;
            if !taken.alone_since(chunk.gate) {
                // Somebody judged in between: what was looked up may be outdated.
                chunk.candidates = simple::look_up(&mut tx, posting, &chunk.rows).await?;
            }
            chunk::write(&mut tx, &mut leaves, posting, chunk, &mut taken).await?;
            next = chunks.recv().await.transpose()?;
            if engine.store.waiting_writers() > 0 {
                break;
            }
        }
        let (rows_done, line) = (
            i64::try_from(done).unwrap_or(i64::MAX),
            i64::try_from(last_line).unwrap_or(i64::MAX),
        );
        files::progress(&mut tx, file.id, rows_done, line).await?;
        keep_lease(engine, &mut tx, posting.account.id, owner).await?;
        leaves.write(&mut tx).await?;
        tx.commit().await?;
        tell(ingest, file, &file.state, done);
    }
    let total = u64::try_from(file.rows_total).unwrap_or(0);
    if done == total {
        Ok(())
    } else {
        Err(Error::Internal(format!(
            "pass one read {total} rows of the file, pass two {done}"
        )))
    }
}

async fn keep_lease(engine: &Engine, tx: &mut Tx, account: i64, owner: &str) -> Result<(), Error> {
    let until = engine.now().plus_seconds(LEASE_SECONDS);
    if leases::renew(tx, LEASE, &account.to_string(), owner, until).await? {
        Ok(())
    } else {
        Err(Error::Conflict(
            "another process took over the work on this account".to_owned(),
        ))
    }
}

fn tell(ingest: &Ingest, file: &StoredFile, state: &str, done: u64) {
    (ingest.tell)(Progress {
        file: file.public_id.clone(),
        state: state.to_owned(),
        rows_done: done,
        rows_total: u64::try_from(file.rows_total).unwrap_or(0),
    });
}

/// The file is written: HELD waits for a person, CLOSING for the closing pass.
async fn finish(ingest: &Ingest, posting: &Posting) -> Result<(), Error> {
    let engine = &ingest.engine;
    let mut report = posting.report.clone();
    let state = if posting.hold { "HELD" } else { "CLOSING" };
    report.rows_written = true;
    let mut tx = engine.store.begin().await?;
    let mut leaves = Leaves::begin(&mut tx, &engine.sources).await?;
    let mut stored = files::by_id(&mut tx, posting.file.id).await?;
    stored.report = stored::to_json(&report)?;
    // The closing pass counts lines of its own.
    stored.lines_done = 0;
    if posting.hold {
        stored.rows_done = 0;
    }
    let mover = Mover {
        actor: "tieout",
        now: engine.now(),
        provider: &posting.account.name,
    };
    file::step(
        &mut tx,
        &mut leaves,
        &mut stored,
        state,
        &serde_json::json!({}),
        mover,
    )
    .await?;
    if posting.hold {
        close::file_cases(
            &mut tx,
            &mut leaves,
            &posting.accounts,
            &stored,
            posting.now,
        )
        .await?;
    }
    leaves.write(&mut tx).await?;
    tx.commit().await?;
    tell(ingest, &stored, state, report.rows);
    Ok(())
}
