//! Import the company's payment intents and attempts.
//!
//! Rows are read in chunks; each chunk is decided against what is stored ([`plan`]) and written,
//! together with the word that its attempts are to be judged against the lines that are already
//! there. Most rows of most files are new: so a chunk is first decided as if nothing of it were
//! stored, which needs no look-ups, and decided again where the database knows one of its ids. A file
//! that is imported again changes nothing; a run that was killed is simply run again.

mod plan;
mod write;

pub use plan::RefusedRow;

use crate::{
    Engine, Error, in_tx,
    storage::{StorageError, Tx, store::Backend},
};
use domain::{
    actor::{Actor, Permission},
    payments_file::PaymentsHeader,
};
use plan::{NumberedRow, Plan};
use std::io::Read;
use tokio::sync::mpsc;

/// Rows that are decided and written together.
const CHUNK: usize = 10_000;

/// Chunks a unit of work on SQLite.
const CHUNKS_PER_TX: usize = 10;

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

/// Imports a payments CSV. The reader is read on a blocking thread.
pub async fn import_payments(
    engine: &Engine,
    actor: &Actor,
    input: impl Read + Send + 'static,
) -> Result<PaymentsImport, Error> {
    if !actor.may(Permission::RegisterPayments) {
        actor.require(Permission::Ingest)?;
    }
    let (send, mut chunks) = mpsc::channel::<Result<Chunk, Error>>(2);
    let reader = tokio::task::spawn_blocking(move || read_chunks(input, &send));
    let mut done = PaymentsImport::default();
    let mut importer = Importer::default();
    while let Some(chunk) = chunks.recv().await.transpose()? {
        match engine.store.backend() {
            Backend::Sqlite => {
                done.add(importer.many(engine, chunk, &mut chunks).await?);
            }
            Backend::Postgres => {
                let part = in_tx!(engine.store, |tx| importer.one(engine, tx, &chunk).await)?;
                done.add(part);
            }
        }
    }
    reader.await.map_err(|e| Error::Internal(e.to_string()))?;
    write::record_import(engine, actor, &done).await?;
    crate::rematch::drain(engine).await?;
    Ok(done)
}

/// Writes chunks; remembers whether the last one named things that were stored.
#[derive(Debug, Default)]
struct Importer {
    known: bool,
}

impl Importer {
    /// Writes a chunk and some of those that follow in one unit of work, as long as nobody waits:
    /// SQLite writes a page of a random index once a unit, not once a chunk.
    async fn many(
        &mut self,
        engine: &Engine,
        first: Chunk,
        chunks: &mut mpsc::Receiver<Result<Chunk, Error>>,
    ) -> Result<PaymentsImport, Error> {
        let mut tx = engine.store.begin().await?;
        let mut done = self.one(engine, &mut tx, &first).await?;
        for _ in 1..CHUNKS_PER_TX {
            if engine.store.waiting_writers() > 0 {
                break;
            }
            let Some(chunk) = chunks.recv().await.transpose()? else {
                break;
            };
            done.add(self.one(engine, &mut tx, &chunk).await?);
        }
        tx.commit().await?;
        Ok(done)
    }

    /// Decides and writes a chunk.
    async fn one(
        &mut self,
        engine: &Engine,
        tx: &mut Tx,
        chunk: &Chunk,
    ) -> Result<PaymentsImport, Error> {
        if !self.known {
            let stored = write::load_accounts(tx).await?;
            let plan = Plan::make(chunk.rows.clone(), stored);
            tx.savepoint().await?;
            match write::write(engine, tx, &plan).await {
                Ok(()) => {
                    tx.release().await?;
                    return Ok(PaymentsImport::of(plan, chunk));
                }
                Err(Error::Storage(StorageError::Duplicate { .. })) => tx.roll_back_to().await?,
                Err(error) => return Err(error),
            }
        }
        let stored = write::load(tx, &chunk.rows).await?;
        self.known = !stored.intents.is_empty() || !stored.attempts.is_empty();
        let plan = Plan::make(chunk.rows.clone(), stored);
        write::write(engine, tx, &plan).await?;
        Ok(PaymentsImport::of(plan, chunk))
    }
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

/// Reads rows until the end, or until nobody listens any more.
fn read_chunks(input: impl Read, send: &mpsc::Sender<Result<Chunk, Error>>) {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(1 << 17)
        .from_reader(input);
    // A send fails only where the import has stopped already.
    let fail =
        |problem: String| drop(send.blocking_send(Err(Error::invalid("payments file", problem))));
    let mut record = csv::ByteRecord::new();
    let header = match reader.read_byte_record(&mut record) {
        Ok(true) => match std::str::from_utf8(record.as_slice()) {
            Ok(_) => {
                PaymentsHeader::read(record.iter().map(|f| std::str::from_utf8(f).unwrap_or("")))
            }
            Err(_) => return fail("line 1 is not UTF-8: save the file as UTF-8".to_owned()),
        },
        Ok(false) => return fail("the file is empty".to_owned()),
        Err(e) => return fail(format!("line 1 cannot be read: {e}")),
    };
    let header = match header {
        Ok(header) => header,
        Err(e) => return fail(e.to_string()),
    };
    let mut chunk = Chunk::default();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(e) => return fail(e.to_string()),
        }
        chunk.read += 1;
        let line = record.position().map_or(0, csv::Position::line);
        match read_row(&header, &record) {
            Ok(row) => chunk.rows.push(NumberedRow { line, row }),
            Err(reason) => chunk.refused.push(RefusedRow { line, reason }),
        }
        if chunk.rows.len() + chunk.refused.len() >= CHUNK
            && send.blocking_send(Ok(std::mem::take(&mut chunk))).is_err()
        {
            return;
        }
    }
    if chunk.read > 0 {
        drop(send.blocking_send(Ok(chunk)));
    }
}

fn read_row(
    header: &PaymentsHeader,
    record: &csv::ByteRecord,
) -> Result<domain::payments_file::PaymentRow, String> {
    if std::str::from_utf8(record.as_slice()).is_err() {
        return Err("the row is not UTF-8: save the file as UTF-8".to_owned());
    }
    let field = |i: usize| {
        record
            .get(i)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
    };
    header.row(record.len(), field).map_err(|e| e.to_string())
}
