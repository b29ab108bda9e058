//! Parses the file a second time, on a thread of its own, and hashes what will be sealed.

use super::Posting;
use crate::{
    Error, in_tx,
    ingest::{
        Ingest,
        file::hash,
        recognise::recognise,
        rows::{self, Prepared},
    },
    seal::secret::instance_secret,
};
use domain::{
    formats::{ReadError, Recognition, RejectedRow, Row, RowReader},
    line::SettlementLine,
    seal::{Encoder, Hash, Secret, Text, records::LineRecord},
    time::Instant,
};
use std::{fs::File, path::Path, sync::Arc};
use tokio::sync::mpsc;

/// A line with what follows from it alone.
pub struct ReadLine {
    pub line: SettlementLine,
    pub prepared: Prepared,
    /// The accounting day: the settled, else the occurred day in the account's zone, else the day on
    /// which the file came.
    pub day: i64,
    pub leaf: Hash,
}

/// Consecutive rows of a file.
#[derive(Default)]
pub struct ReadRows {
    pub lines: Vec<ReadLine>,
    pub rejected: Vec<RejectedRow>,
    /// Physical line at which the last row starts.
    pub last_line: u64,
}

impl ReadRows {
    /// How many rows.
    pub fn len(&self) -> u64 {
        (self.lines.len() + self.rejected.len()) as u64
    }
}

/// Reads the rows behind those that committed chunks cover.
pub async fn rows(
    ingest: &Ingest,
    posting: &Arc<Posting>,
    owner: &str,
) -> Result<mpsc::Receiver<Result<ReadRows, Error>>, Error> {
    let engine = &ingest.engine;
    let secret = in_tx!(engine.store, |tx| instance_secret(tx, &engine.sources)
        .await)?;
    let recognition = recognise(ingest, &posting.account, &posting.file, owner).await?;
    let recognition = recognition.map_err(|e| differs(&e))?;
    let (send, receive) = mpsc::channel(1);
    let path = ingest.evidence.path(&hash(&posting.file));
    let posting = posting.clone();
    let at_once = ingest.rows_at_once as u64;
    tokio::task::spawn_blocking(move || {
        if let Err(e) = send_rows(&path, &recognition, &posting, secret, at_once, &send) {
            // A send fails only where the work was given up.
            drop(send.blocking_send(Err(differs(&e))));
        }
    });
    Ok(receive)
}

fn differs(error: &impl std::fmt::Display) -> Error {
    Error::Internal(format!("pass two cannot read what pass one read: {error}"))
}

fn send_rows(
    path: &Path,
    recognition: &Recognition,
    posting: &Posting,
    secret: Secret,
    at_once: u64,
    send: &mpsc::Sender<Result<ReadRows, Error>>,
) -> Result<(), ReadError> {
    let mut reader = RowReader::new(File::open(path)?, recognition);
    let mut encoder = Encoder::new(secret);
    let done = u64::try_from(posting.file.lines_done).unwrap_or(0);
    let mut chunk = ReadRows::default();
    while let Some(row) = reader.next_row()? {
        match row {
            Row::Line(line) if line.line_no > done => {
                chunk.last_line = line.line_no;
                chunk.lines.push(read_line(posting, &mut encoder, line));
            }
            Row::Rejected(row) if row.line_no > done => {
                chunk.last_line = row.line_no;
                chunk.rejected.push(row);
            }
            _ => continue,
        }
        if chunk.len() == at_once && send.blocking_send(Ok(std::mem::take(&mut chunk))).is_err() {
            return Ok(());
        }
    }
    if chunk.len() > 0 {
        drop(send.blocking_send(Ok(chunk)));
    }
    Ok(())
}

fn read_line(posting: &Posting, encoder: &mut Encoder, line: SettlementLine) -> ReadLine {
    let prepared = rows::prepare(&line);
    let day = line
        .settled_at
        .or(line.occurred_at)
        .unwrap_or_else(|| Instant::from_micros(posting.file.received_at))
        .day_in(posting.account.zone)
        .number();
    let leaf = encoder.leaf(&LineRecord {
        provider: &posting.account.name,
        file: &hash(&posting.file),
        line_no: i64::try_from(line.line_no).unwrap_or(i64::MAX),
        byte_offset: i64::try_from(line.byte_offset).unwrap_or(i64::MAX),
        byte_len: i64::from(line.byte_len),
        row_id: &line.row_id,
        identity: &prepared.identity,
        kind: line.kind.code(),
        source_kind: &line.source_kind,
        provider_payment_id: &line.provider_payment_id,
        modification_id: &line.modification_id,
        merchant_reference: &line.merchant_reference,
        gross: line.gross,
        fee: line.fee,
        net: line.net,
        currency: line.currency.as_str(),
        presented_amount: line.presented.minor,
        presented_currency: line.presented.currency.as_str(),
        occurred_at: line.occurred_at.map(Instant::micros),
        settled_at: line.settled_at.map(Instant::micros),
        accounting_day: day,
        batch: &line.batch_id,
        counterparty: Text::Plain(&line.counterparty),
        description: Text::Plain(&line.description),
        lossy_text: i64::from(line.lossy_text),
    });
    ReadLine {
        line,
        prepared,
        day,
        leaf,
    }
}
