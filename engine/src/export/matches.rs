//! Every data row of every file once, with what became of it. A line that serves several attempts
//! has one row for each, with its share of the presented amount, and its part of gross, fee and net: those
//! columns add up to the file, however often the line stands here; a line that a person matched to a
//! payment of which nothing was open has a share of zero. In order of files and lines.

use super::{Cell, Filter, Format, Table};
use crate::{
    Engine, Error, audit, in_tx,
    ingest::WITHDRAWN,
    seal::Leaves,
    storage::{
        Reader,
        export::{self, FileRow, LineRow, ShareRow},
        record_cases::{self, FileRecord},
    },
};
use domain::{
    actor::{Actor, Permission},
    money::{Currency, apportion},
    seal::hex_of,
};
use std::{collections::HashMap, io::Write};

const COLUMNS: &[&str] = &[
    "file_sha256",
    "line_no",
    "row_id",
    "provider",
    "kind",
    "gross",
    "fee",
    "net",
    "currency",
    "verdict",
    "rule",
    "intent_id",
    "attempt_id",
    "case_id",
    "batch_id",
    "share",
    "presented_amount",
    "presented_currency",
    "share_gross",
    "share_fee",
    "share_net",
];

/// Writes the matches; days are accounting days. Returns what was written to, and how many rows.
pub async fn export_matches<W: Write + Send>(
    engine: &Engine,
    actor: &Actor,
    filter: &Filter,
    format: Format,
    out: W,
) -> Result<(W, u64), Error> {
    actor.require(Permission::Read)?;
    filter.check(engine).await?;
    audited(engine, actor, "export_matches", &filter.detail()).await?;
    let mut table = Table::begin(format, COLUMNS, out)?;
    let mut reader = engine.store.read().await?;
    let mut after = 0;
    loop {
        let files = export::files(&mut reader, after).await?;
        let Some(last) = files.last() else { break };
        after = last.id;
        for file in &files {
            if filter.provider.is_empty() || filter.provider == file.provider {
                write_file(&mut reader, filter, file, &mut table).await?;
            }
        }
    }
    table.finish()
}

/// Records that somebody exported, before it is done.
pub(super) async fn audited(
    engine: &Engine,
    actor: &Actor,
    what: &'static str,
    filter: &serde_json::Value,
) -> Result<(), Error> {
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        audit::record(tx, &mut leaves, actor, now, what, "", filter).await?;
        leaves.write(tx).await
    })
}

async fn write_file<W: Write>(
    reader: &mut Reader,
    filter: &Filter,
    file: &FileRow,
    table: &mut Table<W>,
) -> Result<(), Error> {
    let days = filter.days();
    let sha256 = hex_of(&file.sha256);
    let mut rejected = Rejected::of(&mut *reader, file, days).await?;
    let mut after = 0;
    loop {
        let lines = export::lines(&mut *reader, file.id, after, days).await?;
        let Some(last) = lines.last() else { break };
        after = last.line_no;
        let mut shares: HashMap<i64, Vec<ShareRow>> = HashMap::new();
        for share in export::shares(&mut *reader, lines.iter().map(|l| l.id)).await? {
            shares.entry(share.line_id).or_default().push(share);
        }
        let records = lines.iter().map(|l| FileRecord::Line {
            id: l.id,
            kind: &l.kind,
            sha256: &file.sha256,
            line_no: l.line_no,
            file: file.id,
        });
        let mut cases = record_cases::of_records(&mut *reader, records).await?;
        for (place, line) in lines.iter().enumerate() {
            let case = cases.remove(&place).map_or_else(String::new, |c| c.id);
            rejected
                .write_before(&mut *reader, file, &sha256, line.line_no, table)
                .await?;
            let mut shares = shares.remove(&line.id).unwrap_or_default();
            // As the pages of the payments part the fee, so that the cent that is left is at the same one.
            shares.sort_by_key(|s| s.attempt_id);
            let mut shares = parts(line, shares);
            shares.sort_by(|a, b| a.0.attempt.cmp(&b.0.attempt));
            write_line(file, &sha256, line, &case, &shares, table)?;
        }
    }
    rejected
        .write_before(reader, file, &sha256, i64::MAX, table)
        .await
}

fn write_line<W: Write>(
    file: &FileRow,
    sha256: &str,
    line: &LineRow,
    case: &str,
    shares: &[(ShareRow, Part)],
    table: &mut Table<W>,
) -> Result<(), Error> {
    let places = exponent(&line.currency);
    let presented_places = exponent(&line.presented_currency);
    // A line that no rule has looked at yet is PENDING: UNMATCHED would be a verdict.
    let verdict = match line.verdict.as_str() {
        "HELD" if file.state == WITHDRAWN => WITHDRAWN,
        verdict => verdict,
    };
    let mut write = |intent: &str, attempt: &str, share: Cell<'_>, part: Part| {
        table.row(&[
            Cell::Text(sha256),
            Cell::Int(line.line_no),
            Cell::Text(&line.row_id),
            Cell::Text(&file.provider),
            Cell::Text(&line.kind),
            Cell::Decimal(line.gross, places),
            Cell::Decimal(line.fee, places),
            Cell::Decimal(line.net, places),
            Cell::Text(&line.currency),
            Cell::Text(verdict),
            Cell::Text(&line.rule),
            Cell::Text(intent),
            Cell::Text(attempt),
            Cell::Text(case),
            Cell::Text(&line.batch),
            share,
            Cell::Decimal(line.presented_amount, presented_places),
            Cell::Text(&line.presented_currency),
            Cell::Decimal(part.gross, places),
            Cell::Decimal(part.fee, places),
            Cell::Decimal(part.net, places),
        ])
    };
    if shares.is_empty() {
        let share = if verdict == "MATCHED" && !line.attempt.is_empty() {
            Cell::Decimal(line.presented_amount, presented_places)
        } else {
            Cell::Empty
        };
        return write(&line.intent, &line.attempt, share, Part::whole(line));
    }
    for (share, part) in shares {
        write(
            &share.intent,
            &share.attempt,
            Cell::Decimal(share.amount, presented_places),
            *part,
        )?;
    }
    Ok(())
}

/// What of a line's gross, fee and net goes with one of its shares.
#[derive(Debug, Clone, Copy)]
struct Part {
    gross: i64,
    fee: i64,
    net: i64,
}

impl Part {
    const fn whole(line: &LineRow) -> Self {
        Self {
            gross: line.gross,
            fee: line.fee,
            net: line.net,
        }
    }
}

/// The shares of a line with their parts, which add up to the line.
fn parts(line: &LineRow, shares: Vec<ShareRow>) -> Vec<(ShareRow, Part)> {
    let weights: Vec<u64> = shares.iter().map(|s| s.amount.unsigned_abs()).collect();
    let of = |amount| apportion(amount, &weights);
    // What the net of a row is off by is parted too, so that gross less fee is net wherever it is in the row.
    let off = line.net.saturating_add(line.fee).saturating_sub(line.gross);
    let columns = of(line.gross).into_iter().zip(of(line.fee)).zip(of(off));
    let parts = columns.map(|((gross, fee), off)| Part {
        gross,
        fee,
        net: gross.saturating_sub(fee).saturating_add(off),
    });
    shares.into_iter().zip(parts).collect()
}

/// Rejected rows of a file, which come between its lines.
struct Rejected {
    after: i64,
    waiting: std::collections::VecDeque<(i64, String)>,
    ended: bool,
    /// The case about them, or empty.
    case: String,
}

impl Rejected {
    /// A rejected row has no day of its own: it belongs where its file does.
    async fn of(reader: &mut Reader, file: &FileRow, days: (i64, i64)) -> Result<Self, Error> {
        let outside = file.dated == 1 && (file.last_day < days.0 || file.first_day > days.1);
        let record = std::iter::once(FileRecord::Rejected(file.id));
        let mut cases = record_cases::of_records(reader, record).await?;
        Ok(Self {
            after: 0,
            waiting: std::collections::VecDeque::new(),
            ended: outside,
            case: cases.remove(&0).map_or_else(String::new, |c| c.id),
        })
    }

    async fn write_before<W: Write>(
        &mut self,
        reader: &mut Reader,
        file: &FileRow,
        sha256: &str,
        line_no: i64,
        table: &mut Table<W>,
    ) -> Result<(), Error> {
        loop {
            if self.waiting.is_empty() && !self.ended {
                self.waiting
                    .extend(export::rejected(&mut *reader, file.id, self.after).await?);
                self.ended = self.waiting.is_empty();
                self.after = self.waiting.back().map_or(self.after, |(line, _)| *line);
            }
            match self.waiting.front() {
                Some((line, _)) if *line < line_no => {}
                _ => return Ok(()),
            }
            let Some((line, row_id)) = self.waiting.pop_front() else {
                return Ok(());
            };
            let mut cells = [Cell::Empty; COLUMNS.len()];
            let known = [
                Cell::Text(sha256),
                Cell::Int(line),
                Cell::Text(&row_id),
                Cell::Text(&file.provider),
            ];
            for (cell, value) in cells.iter_mut().zip(known) {
                *cell = value;
            }
            for (column, value) in [
                ("verdict", "REJECTED"),
                ("rule", "none"),
                ("case_id", self.case.as_str()),
            ] {
                let place = COLUMNS.iter().position(|c| *c == column);
                if let Some(cell) = place.and_then(|p| cells.get_mut(p)) {
                    *cell = Cell::Text(value);
                }
            }
            table.row(&cells)?;
        }
    }
}

/// Decimals of a currency; none for a text that names no currency.
pub(super) fn exponent(currency: &str) -> u32 {
    currency.parse::<Currency>().map_or(0, Currency::exponent)
}
