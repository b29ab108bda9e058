//! Pass two: reads the bytes again in chunks and writes rows, simple verdicts, entries and leaves.
//!
//! While one chunk is written, the next one's rows are made on another thread, the candidates of the
//! one after it are looked up on another connection, and the one after that is parsed. Of a held file
//! the rows alone are written.

mod chunk;
mod encode;
mod read;
mod simple;

use super::{
    Ingest, Progress, accept,
    account::{keep, still_held, while_held},
    close,
    file::{self, Mover},
    report::FileReport,
};
use crate::{
    Error, in_tx,
    seal::Leaves,
    storage::{
        Tx, accounts,
        files::{self, StoredFile},
        statistics::{Filled, Statistics},
        stored,
    },
    unseen::Unseen,
};
use chunk::Decided;
use domain::{account::ProviderAccount, matching::Accounts, seal::records::MACHINE};
use encode::{Encoded, Identities, encode};
use std::sync::Arc;
use tokio::task::JoinHandle;

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
    /// Whether rows of other files were used or taken back since pass one read this one.
    pub overtaken: bool,
    /// Whether candidates needed every check when the work on the file began.
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
    let others_used = files::rows_of_others(&mut reading, account.id, stored.id).await?;
    drop(reading);
    let accepted_late = stored.state == "POSTING" && stored.rows_done == 0 && report.rows_written;
    if accepted_late && accept::hold_again_if_restated(engine, account, &known, stored.id).await? {
        tell(ingest, &stored, "HELD", 0);
        return Ok(());
    }
    let hold = stored.state == "HOLDING";
    let overtaken = !hold && report.others_used != others_used;
    if overtaken && !report.rows_written && stored.rows_done == 0 {
        return read_anew(ingest, account, stored, owner).await;
    }
    let posting = Arc::new(Posting {
        account: account.clone(),
        accounts: known,
        hold,
        overtaken,
        report,
        careful,
        now: engine.now(),
        file: stored,
    });
    write_chunks(ingest, &posting, owner).await?;
    finish(ingest, &posting, owner).await
}

/// Back to pass one: since it read the file, work stopped, and meanwhile rows of another file were used or taken back.
/// What it found about rows that are counted already no longer holds.
async fn read_anew(
    ingest: &Ingest,
    account: &ProviderAccount,
    mut stored: StoredFile,
    owner: &str,
) -> Result<(), Error> {
    let engine = &ingest.engine;
    let detail = serde_json::json!({ "because": "rows of another file were used or taken back since it was read" });
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account.id).await?;
        still_held(tx, account.id, owner).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let mut file = stored.clone();
        let mover = Mover {
            actor: MACHINE,
            now: engine.now(),
            provider: &account.name,
        };
        file::step(tx, &mut leaves, &mut file, "RECEIVED", &detail, mover).await?;
        leaves.write(tx).await
    })?;
    "RECEIVED".clone_into(&mut stored.state);
    tell(ingest, &stored, "RECEIVED", 0);
    Ok(())
}

/// What the chunks of one unit of work leave for its end.
struct Unit {
    leaves: Leaves,
    identities: Identities,
}

async fn write_chunks(ingest: &Ingest, posting: &Arc<Posting>, owner: &str) -> Result<(), Error> {
    let (engine, file) = (&ingest.engine, &posting.file);
    let rows = read::rows(ingest, posting, owner).await?;
    let mut chunks = simple::look_up_ahead(engine, posting, rows);
    let mut done = u64::try_from(file.rows_done).unwrap_or(0);
    let mut taken = Unseen::default();
    // Where work goes on that had stopped, all rows that are written are read past.
    let first = async { chunks.recv().await.transpose() };
    let mut next = while_held(engine, posting.account.id, owner, first).await?;
    let mut statistics = Statistics::of(&engine.store, Filled::Lines).await?;
    while next.is_some() {
        let before = done;
        let mut tx = engine.store.begin().await?;
        taken.begin(accounts::pass_gate(&mut tx, posting.account.id).await?);
        still_held(&mut tx, posting.account.id, owner).await?;
        let mut unit = Unit {
            leaves: Leaves::begin(&mut tx, &engine.sources).await?,
            identities: Identities::default(),
        };
        let mut last_line = 0;
        let mut making: Option<JoinHandle<Result<Encoded, Error>>> = None;
        for _ in 0..CHUNKS_PER_TX {
            let Some(mut chunk) = next.take() else { break };
            done += chunk.rows.len();
            last_line = chunk.rows.last_line;
            // Somebody judged in between: what was looked up may be outdated.
            let outdated = !taken.alone_since(chunk.gate);
            if outdated || chunk::may_repeat(posting) {
                // What is looked up now must find what the chunk before wrote.
                write_made(&mut tx, &mut unit, making.take()).await?;
                unit.identities.write(&mut tx, posting.account.id).await?;
            }
            if outdated {
                chunk.simple = simple::look_up(&mut tx, posting, &chunk.rows).await?;
            }
            let leaves = &mut unit.leaves;
            let decided = chunk::decide(&mut tx, leaves, posting, chunk, &mut taken).await?;
            let made = making.replace(make_rows(posting, leaves, decided));
            write_made(&mut tx, &mut unit, made).await?;
            next = chunks.recv().await.transpose()?;
            if engine.store.waiting_writers() > 0 {
                break;
            }
        }
        write_made(&mut tx, &mut unit, making).await?;
        unit.identities.write(&mut tx, posting.account.id).await?;
        let (rows_done, line) = (
            i64::try_from(done).unwrap_or(i64::MAX),
            i64::try_from(last_line).unwrap_or(i64::MAX),
        );
        files::progress(&mut tx, file.id, rows_done, line).await?;
        keep(engine, &mut tx, posting.account.id, owner).await?;
        unit.leaves.write(&mut tx).await?;
        tx.commit().await?;
        statistics.grown(&engine.store, done - before).await?;
        tell(ingest, file, &file.state, done);
    }
    statistics.settled(&engine.store, done).await?;
    let total = u64::try_from(file.rows_total).unwrap_or(0);
    if done == total {
        Ok(())
    } else {
        Err(Error::Internal(format!(
            "pass one read {total} rows of the file, pass two {done}"
        )))
    }
}

fn make_rows(
    posting: &Arc<Posting>,
    leaves: &Leaves,
    decided: Decided,
) -> JoinHandle<Result<Encoded, Error>> {
    let (posting, apart) = (posting.clone(), leaves.apart());
    tokio::task::spawn_blocking(move || encode(apart, &posting, &decided))
}

async fn write_made(
    tx: &mut Tx,
    unit: &mut Unit,
    made: Option<JoinHandle<Result<Encoded, Error>>>,
) -> Result<(), Error> {
    let Some(made) = made else { return Ok(()) };
    let rows = made.await.map_err(|e| Error::Internal(e.to_string()))??;
    rows.write(tx, unit).await
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
async fn finish(ingest: &Ingest, posting: &Posting, owner: &str) -> Result<(), Error> {
    let engine = &ingest.engine;
    let mut report = posting.report.clone();
    let state = if posting.hold { "HELD" } else { "CLOSING" };
    report.rows_written = true;
    let report_text = stored::to_json(&report)?;
    let stored = in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, posting.account.id).await?;
        still_held(tx, posting.account.id, owner).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let mut stored = files::by_id(&mut *tx, posting.file.id).await?;
        stored.report.clone_from(&report_text);
        // The closing pass counts lines of its own.
        stored.lines_done = 0;
        if posting.hold {
            stored.rows_done = 0;
        }
        let mover = Mover {
            actor: MACHINE,
            now: engine.now(),
            provider: &posting.account.name,
        };
        let nothing = serde_json::json!({});
        file::step(tx, &mut leaves, &mut stored, state, &nothing, mover).await?;
        if posting.hold {
            let known = &posting.accounts;
            close::file_cases(tx, &mut leaves, known, &stored, posting.now).await?;
        }
        leaves.write(tx).await?;
        Ok(stored)
    })?;
    tell(ingest, &stored, state, report.rows);
    Ok(())
}
