//! Pass two: reads the bytes again in chunks and writes rows, simple verdicts, entries and leaves.
//!
//! While one chunk is written, the next one's candidates are looked up on another connection and the
//! one after that is parsed on another thread. Of a held file the rows alone are written.

mod chunk;
mod simple;

use super::{
    Ingest, Progress,
    account::{LEASE, LEASE_SECONDS},
    close,
    file::{self, Mover},
    pass_one::recognise_file,
    report::FileReport,
    rows::{self, Prepared},
};
use crate::{
    Engine, Error,
    seal::Leaves,
    storage::{
        Tx, accounts,
        files::{self, StoredFile},
        leases, stored,
    },
};
use chunk::Chunk;
use domain::{
    account::ProviderAccount,
    formats::{ReadError, Row, RowReader},
    matching::Accounts,
};
use std::fs::File;
use tokio::sync::mpsc;

/// Rows that are written by one statement a table.
const CHUNK_ROWS: usize = 10_000;

/// Chunks a transaction: with random unique keys larger transactions write fewer bytes.
const CHUNKS_PER_TX: usize = 10;

/// A row with its hashes, or one without.
pub(super) type Item = (Row, Option<Prepared>);

/// What stays the same for all chunks of a file.
pub(super) struct Posting<'a> {
    pub account: &'a ProviderAccount,
    pub accounts: &'a Accounts,
    pub file: &'a StoredFile,
    pub report: &'a FileReport,
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
    let posting = Posting {
        account,
        accounts: &known,
        file: &stored,
        report: &report,
        hold: stored.state == "HOLDING",
        careful,
        now: engine.now(),
    };
    let mut rows = read_rows(ingest, account, &stored);
    let mut done = u64::try_from(stored.rows_done).unwrap_or(0);
    let mut next = look_up(engine, &posting, rows.recv().await).await?;
    while next.is_some() {
        let mut tx = engine.store.begin().await?;
        accounts::pass_gate(&mut tx, account.id).await?;
        let mut leaves = Leaves::begin(&mut tx, &engine.sources).await?;
        let mut last_line = 0;
        for _ in 0..CHUNKS_PER_TX {
            let Some(chunk) = next.take() else { break };
            done += chunk.rows();
            last_line = chunk.last_line();
            let (written, following) =
                tokio::join!(chunk::write(&mut tx, &mut leaves, &posting, chunk), async {
                    look_up(engine, &posting, rows.recv().await).await
                });
            written?;
            next = following?;
            if engine.store.waiting_writers() > 0 {
                break;
            }
        }
        let (rows_done, line) = (
            i64::try_from(done).unwrap_or(i64::MAX),
            i64::try_from(last_line).unwrap_or(i64::MAX),
        );
        files::progress(&mut tx, stored.id, rows_done, line).await?;
        keep_lease(engine, &mut tx, account.id, owner).await?;
        leaves.write(&mut tx).await?;
        tx.commit().await?;
        tell(ingest, &stored, &stored.state, done);
    }
    finish(ingest, &posting, report.clone()).await
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

/// Parses on a blocking thread, beginning behind what committed chunks cover.
fn read_rows(
    ingest: &Ingest,
    account: &ProviderAccount,
    stored: &StoredFile,
) -> mpsc::Receiver<Result<Vec<Item>, Error>> {
    let (send, receive) = mpsc::channel(1);
    let path = ingest.evidence.path(&file::hash(stored));
    let (account, profile) = (account.clone(), stored.profile.clone());
    let done = u64::try_from(stored.lines_done).unwrap_or(0);
    tokio::task::spawn_blocking(move || {
        if let Err(e) = send_rows(&path, &account, &profile, done, &send) {
            // A send fails only where the work was given up.
            drop(send.blocking_send(Err(Error::Internal(format!(
                "pass two cannot read what pass one read: {e}"
            )))));
        }
    });
    receive
}

fn send_rows(
    path: &std::path::Path,
    account: &ProviderAccount,
    profile: &str,
    done: u64,
    send: &mpsc::Sender<Result<Vec<Item>, Error>>,
) -> Result<(), ReadError> {
    let recognition = recognise_file(path, account, profile)?;
    let mut reader = RowReader::new(File::open(path)?, &recognition);
    let mut chunk = Vec::with_capacity(CHUNK_ROWS);
    while let Some(row) = reader.next_row()? {
        let item = match row {
            Row::Line(line) if line.line_no > done => {
                let prepared = rows::prepare(&line);
                (Row::Line(line), Some(prepared))
            }
            Row::Rejected(row) if row.line_no > done => (Row::Rejected(row), None),
            _ => continue,
        };
        chunk.push(item);
        if chunk.len() == CHUNK_ROWS {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK_ROWS));
            if send.blocking_send(Ok(full)).is_err() {
                return Ok(());
            }
        }
    }
    if !chunk.is_empty() {
        drop(send.blocking_send(Ok(chunk)));
    }
    Ok(())
}

async fn look_up(
    engine: &Engine,
    posting: &Posting<'_>,
    items: Option<Result<Vec<Item>, Error>>,
) -> Result<Option<Chunk>, Error> {
    let Some(items) = items.transpose()? else {
        return Ok(None);
    };
    let candidates = if posting.hold {
        Vec::new()
    } else {
        simple::look_up(engine, posting, &items).await?
    };
    let repeats = posting.report.repeated > 0 && !posting.hold;
    Ok(Some(Chunk::new(items, candidates, repeats)))
}

/// The file is written: HELD waits for a person, CLOSING for the closing pass.
async fn finish(
    ingest: &Ingest,
    posting: &Posting<'_>,
    mut report: FileReport,
) -> Result<(), Error> {
    let engine = &ingest.engine;
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
        close::file_cases(&mut tx, &mut leaves, posting.accounts, &stored, posting.now).await?;
    }
    leaves.write(&mut tx).await?;
    tx.commit().await?;
    tell(ingest, &stored, state, report.rows);
    Ok(())
}
