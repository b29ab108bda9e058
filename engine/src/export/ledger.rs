//! Every posting with the block that seals its entry and the entry's hash, in order of entries.

use super::{
    Cell, Filter, Format, Table,
    matches::{audited, exponent},
};
use crate::{
    Engine, Error,
    seal::{append_blocks, secret},
    storage::{
        Reader, export,
        seal::{self, Refs},
        sealed::{self, RecordSink},
    },
};
use domain::{
    actor::{Actor, Permission},
    seal::{Encoder, Posting, Record, RecordKind, Secret, Text, hex_of, record::Visitor},
    time::{Day, Instant},
    view::ledger::EntryFilter,
};
use std::{collections::HashMap, io::Write};

const COLUMNS: &[&str] = &[
    "entry_no",
    "posted_at",
    "period",
    "account",
    "provider",
    "currency",
    "debit",
    "credit",
    "cause_kind",
    "cause_id",
    "block_no",
    "entry_hash",
    "batch_id",
    "accounting_date",
];

/// Writes the ledger, sealed first; days are accounting days. Returns what was written to, and how
/// many rows.
pub async fn export_ledger<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    filter: &Filter,
    format: Format,
    out: W,
) -> Result<(W, u64), Error> {
    actor.require(Permission::Read)?;
    filter.check(engine).await?;
    audited(engine, actor, "export_ledger", &filter.detail()).await?;
    append_blocks(engine).await?;
    let mut reader = engine.store.read().await?;
    let mut writer = Writer::begin(&mut reader, format, out).await?;
    let mut after = 0;
    loop {
        let page = export::entries(&mut reader, after, filter.days(), &filter.provider).await?;
        let Some(last) = page.last() else { break };
        after = last.0;
        writer.write(&mut reader, &page, |_, _| true).await?;
    }
    writer.table.finish()
}

/// Writes the entries as the screen lists them: the same filter, newest first, every page. Where the
/// filter names a ledger account or a currency, only its postings are written, so that their sums are
/// those of the screen. Returns what was written to, and how many rows.
pub async fn export_listed_entries<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    filter: &EntryFilter,
    format: Format,
    out: W,
) -> Result<(W, u64), Error> {
    actor.require(Permission::Read)?;
    let day = |field, text: &str, none| match text.trim() {
        "" => Ok(none),
        text => Day::parse(text)
            .map(Day::number)
            .map_err(|e| Error::invalid(field, e.to_string())),
    };
    let days = (
        day("from", &filter.from, i64::MIN)?,
        day("to", &filter.to, i64::MAX)?,
    );
    let detail: serde_json::Map<String, serde_json::Value> = filter
        .pairs()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    audited(engine, actor, "export_ledger", &detail.into()).await?;
    append_blocks(engine).await?;
    let mut reader = engine.store.read().await?;
    let (account, currency) = (filter.ledger_account.trim(), filter.currency.trim());
    let mut writer = Writer::begin(&mut reader, format, out).await?;
    let mut before = i64::MAX;
    loop {
        let page = export::listed_entries(
            &mut reader,
            before,
            days,
            filter.provider.trim(),
            account,
            currency,
        )
        .await?;
        let Some(last) = page.last() else { break };
        before = last.0;
        let fits = |of: &str, in_currency: &str| {
            (account.is_empty() || account == of)
                && (currency.is_empty() || currency == in_currency)
        };
        writer.write(&mut reader, &page, fits).await?;
    }
    writer.table.finish()
}

/// Writes entries with their blocks and hashes.
struct Writer<W: Write> {
    table: Table<W>,
    entries: Entries,
}

impl<W: Write> Writer<W> {
    async fn begin(reader: &mut Reader, format: Format, out: W) -> Result<Self, Error> {
        let secret = secret::known(reader)
            .await?
            .unwrap_or_else(|| Secret::new(&[0; 32]));
        Ok(Self {
            table: Table::begin(format, COLUMNS, out)?,
            entries: Entries {
                encoder: Encoder::new(secret),
                page: Vec::new(),
            },
        })
    }

    /// Entries by number and when they were posted, and which of their postings.
    async fn write(
        &mut self,
        reader: &mut Reader,
        page: &[(i64, i64)],
        fits: impl Fn(&str, &str) -> bool,
    ) -> Result<(), Error> {
        if page.is_empty() {
            return Ok(());
        }
        let blocks = blocks(reader, page).await?;
        let refs = Refs::List(page.iter().map(|(id, _)| (*id, 0)).collect());
        self.entries.page.clear();
        sealed::read(reader, RecordKind::LedgerEntry, &refs, &mut self.entries).await?;
        for ((id, posted_at), entry) in page.iter().zip(&mut self.entries.page) {
            entry
                .postings
                .retain(|(account, currency, _)| fits(account, currency));
            write_entry(&mut self.table, *id, *posted_at, entry, blocks.get(id))?;
        }
        Ok(())
    }
}

/// In which block each of these entries lies: looked for near by, then, where one has none yet, in the
/// whole chain.
async fn blocks(reader: &mut Reader, page: &[(i64, i64)]) -> Result<HashMap<i64, i64>, Error> {
    let numbers = || page.iter().map(|(id, _)| *id);
    let mut blocks = HashMap::new();
    let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else {
        return Ok(blocks);
    };
    let near = seal::near(&mut *reader, RecordKind::LedgerEntry, first).await?;
    for from in [near, i64::MIN] {
        for (block, batch) in export::blocks_of_entries(&mut *reader, first, last, from).await? {
            let ids = batch.refs.keys().map(|(id, _)| id);
            blocks.extend(
                ids.filter(|id| (first..=last).contains(id))
                    .map(|id| (id, block)),
            );
        }
        if numbers().all(|id| blocks.contains_key(&id)) {
            break;
        }
    }
    Ok(blocks)
}

fn write_entry<W: Write>(
    table: &mut Table<W>,
    id: i64,
    posted_at: i64,
    entry: &Entry,
    block: Option<&i64>,
) -> Result<(), Error> {
    let posted_at = Instant::from_micros(posted_at).to_string();
    let day = Day::from_number(entry.day).map_or_else(String::new, |d| d.to_string());
    let period = day.get(..7).unwrap_or_default();
    for (account, currency, amount) in &entry.postings {
        let places = exponent(currency);
        let (debit, credit) = if *amount > 0 {
            (*amount, 0)
        } else {
            (0, amount.saturating_neg())
        };
        table.row(&[
            Cell::Int(id),
            Cell::Text(&posted_at),
            Cell::Text(period),
            Cell::Text(account),
            Cell::Text(&entry.provider),
            Cell::Text(currency),
            Cell::Decimal(debit, places),
            Cell::Decimal(credit, places),
            Cell::Text(&entry.cause_kind),
            Cell::Text(&entry.cause),
            block.map_or(Cell::Empty, |b| Cell::Int(*b)),
            Cell::Text(&entry.hash),
            Cell::Text(&entry.batch),
            Cell::Text(&day),
        ])?;
    }
    Ok(())
}

/// Takes entries as they are sealed.
struct Entries {
    encoder: Encoder,
    page: Vec<Entry>,
}

#[derive(Default)]
struct Entry {
    provider: String,
    day: i64,
    batch: String,
    cause_kind: String,
    cause: String,
    postings: Vec<(String, String, i64)>,
    hash: String,
}

impl RecordSink for Entries {
    fn record<R: Record>(&mut self, _: usize, record: &R) {
        let mut entry = Entry {
            hash: hex_of(&self.encoder.leaf(record)),
            ..Entry::default()
        };
        record.visit(&mut entry);
        self.page.push(entry);
    }

    // Read in the same snapshot, so none is missing; a row without its entry would shift the others.
    fn missing(&mut self, _: usize) {
        self.page.push(Entry::default());
    }
}

impl Visitor for Entry {
    fn int(&mut self, name: &'static str, value: i64) {
        if name == "accounting_day" {
            self.day = value;
        }
    }

    fn opt_int(&mut self, _: &'static str, _: Option<i64>) {}

    fn id(&mut self, name: &'static str, value: &str) {
        let field = match name {
            "provider" => &mut self.provider,
            "batch" => &mut self.batch,
            "cause_kind" => &mut self.cause_kind,
            "cause" => &mut self.cause,
            _ => return,
        };
        value.clone_into(field);
    }

    fn opt_id(&mut self, _: &'static str, _: Option<&str>) {}

    fn hash(&mut self, _: &'static str, _: &[u8]) {}

    fn text(&mut self, _: &'static str, _: Text<'_>) {}

    fn postings(&mut self, _: &'static str, value: &[Posting<'_>]) {
        let rows = value
            .iter()
            .map(|p| (p.account.to_owned(), p.currency.to_owned(), p.amount));
        self.postings.extend(rows);
    }
}
