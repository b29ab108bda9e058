//! Import the company's payment intents and attempts.
//!
//! Rows are read in chunks; what is stored of a chunk is looked up while earlier ones are written;
//! each chunk is decided ([`plan`]) and written together with the word that its attempts are to be
//! judged against the lines that are already there. A file that is imported again changes nothing; a
//! run that was killed is simply run again.

pub(crate) mod held;
mod load;
pub(crate) mod plan;
mod record;
mod source;
pub(crate) mod write;

pub use plan::RefusedRow;

use crate::{
    Engine, Error,
    evidence_store::{EvidenceStore, Stored},
    in_tx,
    storage::{
        Tx, accounts,
        counter::{self, allocate},
        statistics::{Filled, Statistics},
        store::Backend,
        tx::Connected,
    },
    unseen::Unseen,
};
use domain::{
    actor::{Actor, Permission},
    one_line::file_name,
    payments_file::PaymentsHeader,
    time::Instant,
};
use load::load;
use plan::{NumberedRow, Plan, StoredRows};
use source::Records;
use std::{
    collections::BTreeSet,
    fs::File,
    hash::{BuildHasher, RandomState},
    io::Read,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};
use tokio::{sync::mpsc, task::JoinHandle};

/// Rows that are decided and written together.
const CHUNK: usize = 5_000;

/// Chunks a unit of work on SQLite.
const CHUNKS_PER_TX: usize = 20;

/// The field of the request that a refusal of the whole file is about.
const PAYMENTS_FILE: &str = "payments file";

/// Refused rows that an answer lists; the count covers all.
const MOST_REFUSED: usize = 1_000;

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct PaymentsImport {
    /// Data rows read.
    pub rows: u64,
    /// Intents that were not known.
    pub intents_new: u64,
    /// Attempts that were not known.
    pub attempts_new: u64,
    /// Attempts of which something new was learned.
    pub attempts_updated: u64,
    /// Rows that said nothing new.
    pub unchanged: u64,
    /// Rows that were not taken, the first thousand of them.
    pub refused: Vec<RefusedRow>,
    /// How many rows were not taken.
    #[serde(skip)]
    pub refused_rows: u64,
}

/// Rows on their way from the reader, in file order.
#[derive(Debug, Default)]
struct Chunk {
    rows: Vec<NumberedRow>,
    refused: Vec<RefusedRow>,
    read: u64,
}

/// A chunk with what was stored of it when it was looked up.
struct LookedUp {
    chunk: Chunk,
    stored: StoredRows,
    /// Our units of work that were committed before the look-up.
    seen: i64,
    /// How many intents and attempts there were, whoever added them: see [`far`].
    far: i64,
}

/// The file that an import reads, as its attempts remember it.
#[derive(Debug, Clone)]
pub(crate) struct ImportedFile {
    id: i64,
    name: String,
    at: Instant,
    by: String,
}

/// Imports a payments CSV whose bytes are stored. It is refused before anything of it is taken where it
/// cannot be read to its end. What is about to be imported, and by whom, is recorded first: rows that
/// came in are never without that, however the work ends.
pub async fn import_stored_payments(
    engine: &Engine,
    actor: &Actor,
    evidence: &EvidenceStore,
    stored: Stored,
    name: &str,
) -> Result<PaymentsImport, Error> {
    may_import(actor)?;
    let path = evidence.path(&stored.sha256);
    let open = || {
        File::open(&path)
            .map_err(|e| Error::Internal(format!("the stored payments file cannot be opened: {e}")))
    };
    let (first, again) = (open()?, open()?);
    let name = file_name(name);
    let checked = tokio::task::spawn_blocking(move || source::check(first)).await;
    checked
        .map_err(|e| Error::Internal(e.to_string()))?
        .map_err(|e| of_file(&name, e))?;
    record::begin(engine, actor, stored).await?;
    let done = import(engine, actor, Some(stored), &name, again).await;
    done.map_err(|e| of_file(&name, e))
}

/// What is wrong with a file as a whole names it.
fn of_file(name: &str, error: Error) -> Error {
    match error {
        Error::Invalid { field, problem } if field == PAYMENTS_FILE && !name.is_empty() => {
            let separator = if problem.starts_with("line ") {
                ","
            } else {
                ":"
            };
            Error::invalid(field, format!("“{name}”{separator} {problem}"))
        }
        error => error,
    }
}

/// Imports a payments CSV of which nothing is kept but its rows.
pub async fn import_payments(
    engine: &Engine,
    actor: &Actor,
    input: impl Read + Send + 'static,
) -> Result<PaymentsImport, Error> {
    may_import(actor)?;
    import(engine, actor, None, "", input).await
}

fn may_import(actor: &Actor) -> Result<(), Error> {
    if !actor.may(Permission::RegisterPayments) {
        actor.require(Permission::Ingest)?;
    }
    Ok(())
}

/// Imports rows. The reader is read on a blocking thread.
async fn import(
    engine: &Engine,
    actor: &Actor,
    stored: Option<Stored>,
    name: &str,
    input: impl Read + Send + 'static,
) -> Result<PaymentsImport, Error> {
    let (send, chunks) = mpsc::channel::<Result<Chunk, Error>>(1);
    let now = engine.now();
    let reader = tokio::task::spawn_blocking(move || read_chunks(input, now, &send));
    let file = ImportedFile {
        id: in_tx!(engine.store, |tx| {
            Ok(allocate(&mut *tx, "payments_import", 1).await?)
        })?,
        name: name.to_owned(),
        at: engine.now(),
        by: actor.name(),
    };
    let mut importer = Importer {
        file,
        engine: engine.clone(),
        committed: Arc::default(),
        unseen: Unseen::default(),
        left_at: None,
        others: 0,
        hashes: RandomState::new(),
    };
    let mut statistics = Statistics::of(&engine.store, Filled::Payments).await?;
    let mut chunks = look_up_ahead(engine, chunks, importer.committed.clone());
    let mut done = PaymentsImport::default();
    let mut next = chunks.recv().await.transpose()?;
    while let Some(first) = next {
        let before = done.rows;
        let (part, left) = importer.unit(first, &mut chunks).await?;
        done.add(part);
        statistics.grown(&engine.store, done.rows - before).await?;
        next = match left {
            Some(left) => Some(left),
            None => chunks.recv().await.transpose()?,
        };
    }
    let read = reader.await.map_err(|e| Error::Internal(e.to_string()))?;
    if read != done.rows {
        return Err(Error::Internal(format!(
            "{read} rows were read, but {} taken up: import the file again",
            done.rows
        )));
    }
    for row in &mut done.refused {
        name.clone_into(&mut row.file);
    }
    record::done(engine, actor, stored, &done).await?;
    if let Err(error) = crate::rematch::drain(engine).await {
        // Every row is in, and the words about them stand: who drains next judges what is left.
        tracing::warn!(%error, "payments were imported; some of them wait to be judged");
    }
    Ok(done)
}

/// Looks up chunks on another connection while earlier ones are written.
fn look_up_ahead(
    engine: &Engine,
    mut chunks: mpsc::Receiver<Result<Chunk, Error>>,
    committed: Arc<AtomicI64>,
) -> mpsc::Receiver<Result<LookedUp, Error>> {
    let (send, receive) = mpsc::channel(1);
    let engine = engine.clone();
    tokio::spawn(async move {
        while let Some(chunk) = chunks.recv().await {
            let found = match chunk {
                Ok(chunk) => look_up(&engine, chunk, &committed).await,
                Err(error) => Err(error),
            };
            let failed = found.is_err();
            // Nobody listens where the work was given up.
            if send.send(found).await.is_err() || failed {
                break;
            }
        }
    });
    receive
}

async fn look_up(engine: &Engine, chunk: Chunk, committed: &AtomicI64) -> Result<LookedUp, Error> {
    let seen = committed.load(Ordering::Acquire);
    let mut reading = engine.store.read().await?;
    let far = far(&mut reading).await?;
    let stored = load(&mut reading, &chunk.rows).await?;
    Ok(LookedUp {
        chunk,
        stored,
        seen,
        far,
    })
}

/// How many intents and attempts anybody added so far.
async fn far(mut tx: impl Connected) -> Result<i64, Error> {
    let intents = counter::next(&mut tx, "intent").await?;
    Ok(intents + counter::next(&mut tx, "attempt").await?)
}

/// Writes chunks in units of work.
struct Importer {
    engine: Engine,
    /// The file that is read.
    file: ImportedFile,
    /// How many units of work are committed.
    committed: Arc<AtomicI64>,
    /// Hashes of what those units wrote which a look-up may not have seen: two names of one hash cost a
    /// second look-up, nothing else.
    unseen: Unseen<u64>,
    hashes: RandomState,
    /// How many there were when our last unit of work on SQLite ended.
    left_at: Option<i64>,
    /// How many there were when others were last seen to have added some: what was looked up before
    /// may lack them.
    others: i64,
}

impl Importer {
    /// Writes a chunk and, on SQLite, some of those that follow in one unit of work, as long as
    /// nobody waits: it writes a page of a random index once a unit, not once a chunk.
    async fn unit(
        &mut self,
        first: LookedUp,
        chunks: &mut mpsc::Receiver<Result<LookedUp, Error>>,
    ) -> Result<(PaymentsImport, Option<LookedUp>), Error> {
        let store = self.engine.store.clone();
        self.unseen
            .begin(self.committed.load(Ordering::Acquire) + 1);
        let mut left = None;
        let done = match store.backend() {
            Backend::Sqlite => {
                let mut tx = store.begin().await?;
                let found = far(&mut tx).await?;
                if self.left_at.unwrap_or(first.far) != found {
                    self.others = found;
                }
                let mut done = PaymentsImport::default();
                let mut making = None;
                let mut next = Some(first);
                for _ in 0..CHUNKS_PER_TX {
                    let Some(looked_up) = next.take() else { break };
                    let LookedUp {
                        mut chunk,
                        mut stored,
                        seen,
                        far,
                    } = looked_up;
                    if !(self.fresh(&chunk, seen) && far >= self.others) {
                        // What is looked up now must find what the chunk before writes.
                        done.add(self.written(&mut tx, making.take()).await?);
                        stored = load(&mut tx, &chunk.rows).await?;
                    }
                    let stored = standing(&mut tx, &chunk.rows, stored).await?;
                    let ground =
                        write::prepare(&self.engine, &mut tx, &chunk.rows, &stored).await?;
                    let rows = std::mem::take(&mut chunk.rows);
                    let made =
                        tokio::task::spawn_blocking(move || write::make(ground, rows, stored));
                    // While this chunk's rows are made, the one before it is written.
                    let before = making.replace(Making { made, chunk });
                    done.add(self.written(&mut tx, before).await?);
                    if store.waiting_writers() > 0 {
                        break;
                    }
                    next = chunks.recv().await.transpose()?;
                }
                done.add(self.written(&mut tx, making).await?);
                self.left_at = Some(far(&mut tx).await?);
                tx.commit().await?;
                left = next;
                done
            }
            Backend::Postgres => {
                let LookedUp {
                    chunk,
                    stored,
                    seen,
                    ..
                } = first;
                let mut stored = self.fresh(&chunk, seen).then_some(stored);
                in_tx!(store, |tx| {
                    // What was in the way of a first try may be in the way of its look-up, too.
                    let stored = match stored.take() {
                        Some(stored) => stored,
                        None => load(&mut *tx, &chunk.rows).await?,
                    };
                    self.write(tx, &chunk, chunk.rows.clone(), stored).await
                })?
            }
        };
        self.committed.fetch_add(1, Ordering::Release);
        Ok((done, left))
    }

    /// Whether the look-up saw everything that we wrote about the things of a chunk. They count as
    /// written from here on.
    fn fresh(&mut self, chunk: &Chunk, seen: i64) -> bool {
        self.unseen.forget(seen);
        let Self { unseen, hashes, .. } = self;
        let hashed = |r| names(r).map(|name| hashes.hash_one(name));
        let mut all = chunk.rows.iter().flat_map(hashed);
        let fresh = !all.any(|name| unseen.contains(&name));
        for name in chunk.rows.iter().flat_map(hashed) {
            unseen.take(name);
        }
        fresh
    }

    async fn write(
        &self,
        tx: &mut Tx,
        chunk: &Chunk,
        rows: Vec<NumberedRow>,
        stored: StoredRows,
    ) -> Result<PaymentsImport, Error> {
        let stored = standing(tx, &rows, stored).await?;
        let plan = Plan::make(rows, stored);
        write::write(&self.engine, tx, &plan, &self.origin()).await?;
        Ok(PaymentsImport::of(plan, chunk))
    }

    /// Writes a chunk when its rows are made.
    async fn written(&self, tx: &mut Tx, making: Option<Making>) -> Result<PaymentsImport, Error> {
        let Some(Making { made, chunk }) = making else {
            return Ok(PaymentsImport::default());
        };
        let made = made.await.map_err(|e| Error::Internal(e.to_string()))??;
        let plan = made.write(tx, &self.origin()).await?;
        Ok(PaymentsImport::of(plan, &chunk))
    }

    const fn origin(&self) -> write::Origin<'_> {
        write::Origin {
            file: Some(&self.file),
            ..write::IMPORT
        }
    }
}

/// A chunk whose rows are being made.
struct Making {
    made: JoinHandle<Result<write::Made, Error>>,
    chunk: Chunk,
}

/// What is stored of a chunk as it stands now. New things are protected by the uniqueness of their
/// ids; attempts that are known may have moved since they were looked up, and whoever moves them
/// passes the gate of their account first.
async fn standing(
    tx: &mut Tx,
    rows: &[NumberedRow],
    stored: StoredRows,
) -> Result<StoredRows, Error> {
    if stored.attempts.is_empty() {
        return Ok(stored);
    }
    let named: BTreeSet<i64> = stored.attempts.values().map(|a| a.account).collect();
    for account in named {
        accounts::pass_gate(tx, account).await?;
    }
    load(&mut *tx, rows).await
}

impl PaymentsImport {
    fn of(plan: Plan, chunk: &Chunk) -> Self {
        let mut refused = chunk.refused.clone();
        refused.extend(plan.refused);
        refused.sort_by_key(|r| r.line);
        Self {
            rows: chunk.read,
            intents_new: plan.intents.len() as u64,
            attempts_new: plan.attempts.len() as u64,
            attempts_updated: plan.updates.len() as u64,
            unchanged: plan.unchanged,
            refused_rows: refused.len() as u64,
            refused,
        }
    }

    fn add(&mut self, mut part: Self) {
        self.rows += part.rows;
        self.intents_new += part.intents_new;
        self.attempts_new += part.attempts_new;
        self.attempts_updated += part.attempts_updated;
        self.unchanged += part.unchanged;
        self.refused_rows += part.refused_rows;
        let room = MOST_REFUSED.saturating_sub(self.refused.len());
        part.refused.truncate(room);
        self.refused.append(&mut part.refused);
    }
}

/// Reads rows until the end, or until nobody listens any more, and returns how many.
fn read_chunks(input: impl Read, now: Instant, send: &mpsc::Sender<Result<Chunk, Error>>) -> u64 {
    // A send fails only where the import has stopped already.
    let fail = |problem: String| {
        drop(send.blocking_send(Err(Error::invalid(PAYMENTS_FILE, problem))));
        0
    };
    let mut records = match Records::of(input) {
        Ok(records) => records,
        Err(problem) => return fail(problem),
    };
    let mut record = csv::ByteRecord::new();
    let header = match records.read(&mut record) {
        Ok(true) => match std::str::from_utf8(record.as_slice()) {
            Ok(_) => PaymentsHeader::read(
                record.iter().map(|f| std::str::from_utf8(f).unwrap_or("")),
                now,
            ),
            Err(_) => return fail("line 1 is not UTF-8: save the file as UTF-8 (in a spreadsheet: “CSV UTF-8, comma delimited”)".to_owned()),
        },
        Ok(false) => return fail("the file is empty".to_owned()),
        Err(problem) => return fail(problem),
    };
    let header = match header {
        Ok(header) => header,
        Err(e) => return fail(e.to_string()),
    };
    let mut chunk = Chunk::default();
    let mut rows = 0;
    loop {
        match records.read(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(problem) => return fail(problem),
        }
        chunk.read += 1;
        rows += 1;
        let line = record.position().map_or(0, csv::Position::line);
        match read_row(&header, &record) {
            Ok(row) => chunk.rows.push(NumberedRow { line, row }),
            Err(reason) => chunk.refused.push(RefusedRow::at(line, reason)),
        }
        if chunk.rows.len() + chunk.refused.len() >= CHUNK
            && send.blocking_send(Ok(std::mem::take(&mut chunk))).is_err()
        {
            return rows;
        }
    }
    if chunk.read > 0 {
        drop(send.blocking_send(Ok(chunk)));
    }
    rows
}

fn read_row(
    header: &PaymentsHeader,
    record: &csv::ByteRecord,
) -> Result<domain::payments_file::PaymentRow, String> {
    if std::str::from_utf8(record.as_slice()).is_err() {
        return Err("the row is not UTF-8: save the file as UTF-8 (in a spreadsheet: “CSV UTF-8, comma delimited”)".to_owned());
    }
    let field = |i: usize| {
        record
            .get(i)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
    };
    header.row(record.len(), field).map_err(|e| e.to_string())
}

/// What a row names, each with its kind and the account that it is of.
fn names(r: &NumberedRow) -> impl Iterator<Item = (&str, &str, &str)> {
    let attempt = r.row.attempt.iter().flat_map(|a| {
        let named = [
            ("a", "", a.attempt_id.as_str()),
            ("p", a.provider.as_str(), a.provider_payment_id.as_str()),
            ("k", a.provider.as_str(), a.idempotency_key.as_str()),
        ];
        named.into_iter().filter(|(_, _, text)| !text.is_empty())
    });
    std::iter::once(("i", "", r.row.intent_id.as_str())).chain(attempt)
}
