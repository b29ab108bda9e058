//! One chunk of rows into the tables: sets, never row by row.

use super::{
    Posting,
    read::ReadLine,
    simple::{Chunk, Simple, by_key, decide},
};
use crate::{
    Error,
    derive::{line_name, lines::contra_columns},
    ingest::{file::hash, rows},
    post_entries::post_entries,
    seal::Leaves,
    storage::{
        Rows, Tx,
        counter::allocate,
        entries::NewEntry,
        files::{self, BatchSums, SimpleCandidate},
        matching::{self, LINE, LINE_NOW, VERDICT},
        statement::ColumnType::{self, Blob, Int, Text},
        stored,
    },
    unseen::Unseen,
};
use domain::{
    formats::RejectedRow,
    line::{RowKind, Rule, SettlementLine, Verdict},
    matching::keys::normalise,
    money::{Currency, Money},
    posting::{
        Disposition, Figures, LedgerAccount, Posting as LedgerPosting, arithmetic_difference,
        line_postings,
    },
    seal::{
        RecordKind, Text as SealedText,
        records::{RejectedRowRecord, VerdictRecord},
    },
    time::Instant,
};
use std::collections::{BTreeMap, HashMap};

const REJECTED: &[(&str, ColumnType)] = &[
    ("file_id", Int),
    ("line_no", Int),
    ("byte_offset", Int),
    ("byte_len", Int),
    ("row_id", Text),
    ("column_name", Text),
    ("value", Text),
    ("reason", Text),
    ("message", Text),
];

const IDENTITY: &[(&str, ColumnType)] = &[
    ("account_id", Int),
    ("identity", Blob),
    ("line_id", Int),
    ("content", Blob),
];

const OPEN: &[(&str, ColumnType)] = &[
    ("intent_id", Int),
    ("kind", Text),
    ("allowed", Int),
    ("matched", Int),
];

/// What becomes of a line now.
struct Placed<'a> {
    id: i64,
    read: &'a ReadLine,
    line: &'a SettlementLine,
    batch: i64,
    verdict: Option<Verdict>,
    simple: Option<Simple>,
    disposition: Disposition,
    entry: i64,
}

impl Placed<'_> {
    fn rule(&self) -> Rule {
        match self.verdict {
            Some(Verdict::Matched) => Rule::ProviderId,
            Some(Verdict::Accounted) => Rule::Kind,
            _ => Rule::None,
        }
    }

    /// Whether the line counts: its identity, its batch, its money.
    fn counts(&self) -> bool {
        !matches!(self.verdict, Some(Verdict::Held | Verdict::Repeated))
    }
}

/// Writes a chunk.
pub async fn write(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting,
    chunk: Chunk,
    taken: &mut Unseen<i64>,
) -> Result<(), Error> {
    let Chunk {
        rows, candidates, ..
    } = chunk;
    if !posting.report.rows_written {
        write_rejected(tx, leaves, posting, &rows.rejected).await?;
    }
    let mut placed = place(tx, posting, &rows.lines, candidates, taken).await?;
    if !posting.report.rows_written {
        write_lines(tx, leaves, posting, &placed).await?;
    }
    if !posting.hold {
        write_identities(tx, posting, &placed).await?;
        post(tx, leaves, posting, &mut placed).await?;
        write_keys(tx, posting, &placed).await?;
        write_open(tx, &placed).await?;
        add_batches(tx, &placed).await?;
    }
    write_verdicts(tx, leaves, posting, &placed).await?;
    Ok(())
}

/// Decides what becomes of each line now; what needs judging stays without a verdict.
async fn place<'a>(
    tx: &mut Tx,
    posting: &Posting,
    lines: &'a [ReadLine],
    candidates: Vec<SimpleCandidate>,
    taken: &mut Unseen<i64>,
) -> Result<Vec<Placed<'a>>, Error> {
    let ids = line_ids(tx, posting, lines).await?;
    let batches = files::batch_ids(
        tx,
        posting.account.id,
        lines.iter().map(|l| l.line.batch_id.as_str()),
    )
    .await?;
    // While a file was held, or work on it had stopped, others may have brought its rows.
    let repeats = !posting.hold
        && (posting.report.repeated > 0 || posting.report.rows_written || posting.overtaken);
    let mut counted: HashMap<rows::Identity, rows::Content> = HashMap::new();
    if repeats {
        let prepared: Vec<rows::Prepared> = lines.iter().map(|l| l.prepared).collect();
        let known = rows::counted(&mut *tx, posting.account.id, &prepared).await?;
        counted.extend(known.into_iter().map(|(row, is)| (row, is.content)));
    }
    let mut candidates = by_key(candidates);
    let mut placed = Vec::with_capacity(lines.len());
    for (read, id) in lines.iter().zip(ids) {
        let line = &read.line;
        let repeated = repeats && is_counted(&mut counted, read)?;
        let (verdict, simple) = decide_line(posting, line, repeated, &mut candidates, taken)?;
        let disposition = match verdict {
            Some(verdict @ (Verdict::Matched | Verdict::Accounted)) => {
                Disposition::by_verdict(&figures(line), verdict).map_err(crate::derive::overflow)?
            }
            _ => Disposition::default(),
        };
        placed.push(Placed {
            id,
            read,
            line,
            batch: batches.get(&line.batch_id).copied().unwrap_or(0),
            verdict,
            simple,
            disposition,
            entry: 0,
        });
    }
    Ok(placed)
}

/// Whether a row is counted already; it counts from here on. One that says something else than the row
/// that counts is for nobody here to guess.
fn is_counted(
    counted: &mut HashMap<rows::Identity, rows::Content>,
    read: &ReadLine,
) -> Result<bool, Error> {
    let row = &read.prepared;
    match counted.insert(row.identity, row.content) {
        None => Ok(false),
        Some(content) if content == row.content => Ok(true),
        Some(_) => Err(Error::Conflict(format!(
            "line {} gives other figures than were counted from another file since this one was read: the figures in use stand",
            row.line_no
        ))),
    }
}

fn decide_line(
    posting: &Posting,
    line: &SettlementLine,
    repeated: bool,
    candidates: &mut HashMap<String, Option<SimpleCandidate>>,
    taken: &mut Unseen<i64>,
) -> Result<(Option<Verdict>, Option<Simple>), Error> {
    if posting.hold {
        return Ok((Some(Verdict::Held), None));
    }
    if repeated {
        return Ok((Some(Verdict::Repeated), None));
    }
    if arithmetic_difference(&figures(line)) != 0 {
        // Its difference stands apart and is named: no simple case.
        return Ok((None, None));
    }
    if !line.kind.concerns_payment() {
        let verdict = (line.kind != RowKind::Unrecognised).then_some(Verdict::Accounted);
        return Ok((verdict, None));
    }
    let Some(held) = candidates.get_mut(&line.provider_payment_id) else {
        return Ok((None, None));
    };
    let Some(candidate) = held else {
        return Ok((None, None));
    };
    let Some(matched) = decide(line, candidate)? else {
        return Ok((None, None));
    };
    if !taken.take(candidate.intent_id) {
        return Ok((None, None));
    }
    let simple = held.take().map(|candidate| Simple { candidate, matched });
    Ok((Some(Verdict::Matched), simple))
}

/// Keys of the lines: new ones, or those under which a held file's rows were written.
async fn line_ids(tx: &mut Tx, posting: &Posting, lines: &[ReadLine]) -> Result<Vec<i64>, Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    if !posting.report.rows_written {
        let first = allocate(&mut *tx, "line", lines.len() as u64).await?;
        return Ok((first..).take(lines.len()).collect());
    }
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Ok(Vec::new());
    };
    let known = files::line_ids(
        &mut *tx,
        posting.file.id,
        number(first.line.line_no),
        number(last.line.line_no),
    )
    .await?;
    lines
        .iter()
        .map(|ReadLine { line, .. }| {
            known.get(&number(line.line_no)).copied().ok_or_else(|| {
                Error::Internal(format!(
                    "line {} of a held file was not written",
                    line.line_no
                ))
            })
        })
        .collect()
}

fn figures(line: &SettlementLine) -> Figures {
    Figures {
        kind: line.kind,
        gross: line.gross,
        fee: line.fee,
        net: line.net,
        currency: line.currency,
        presented: line.presented,
    }
}

async fn write_lines(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting,
    placed: &[Placed<'_>],
) -> Result<(), Error> {
    let mut rows = Rows::new("line", LINE);
    for p in placed {
        let l = p.line;
        let line_no = i64::try_from(l.line_no).unwrap_or(i64::MAX);
        let byte_offset = i64::try_from(l.byte_offset).unwrap_or(i64::MAX);
        rows.add()
            .int(p.id)
            .int(posting.file.id)
            .int(line_no)
            .int(byte_offset)
            .int(i64::from(l.byte_len))
            .text(&l.row_id)
            .blob(&p.read.prepared.identity)
            .text(l.kind.code())
            .text(&l.source_kind)
            .text(&l.provider_payment_id)
            .text(&l.modification_id)
            .text(&l.merchant_reference)
            .int(l.gross)
            .int(l.fee)
            .int(l.net)
            .text(l.currency.as_str())
            .int(l.presented.minor)
            .text(l.presented.currency.as_str())
            .opt_int(l.occurred_at.map(Instant::micros))
            .opt_int(l.settled_at.map(Instant::micros))
            .int(p.read.day)
            .int(p.batch)
            .text(&l.counterparty)
            .text(&l.description)
            .int(i64::from(l.lossy_text));
        leaves.push_leaf(RecordKind::Line, p.id, 0, p.read.leaf);
    }
    rows.insert_into(tx, "line").await?;
    Ok(())
}

async fn write_rejected(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting,
    rejected: &[RejectedRow],
) -> Result<(), Error> {
    if rejected.is_empty() {
        return Ok(());
    }
    let sha256 = hash(&posting.file);
    let mut rows = Rows::new("rejected_row", REJECTED);
    for r in rejected {
        let line_no = i64::try_from(r.line_no).unwrap_or(i64::MAX);
        let byte_offset = i64::try_from(r.byte_offset).unwrap_or(i64::MAX);
        rows.add()
            .int(posting.file.id)
            .int(line_no)
            .int(byte_offset)
            .int(i64::from(r.byte_len))
            .text(&r.row_id)
            .text(&r.column)
            .text(&r.value)
            .text(r.reason.code())
            .text(&r.message);
        leaves.push_part(
            posting.file.id,
            line_no,
            &RejectedRowRecord {
                provider: &posting.account.name,
                file: &sha256,
                line_no,
                byte_offset,
                byte_len: i64::from(r.byte_len),
                row_id: SealedText::Plain(&r.row_id),
                column_name: SealedText::Plain(&r.column),
                value: SealedText::Plain(&r.value),
                reason: r.reason.code(),
                message: SealedText::Plain(&r.message),
            },
        );
    }
    rows.insert_into(tx, "rejected_row").await?;
    Ok(())
}

async fn write_identities(
    tx: &mut Tx,
    posting: &Posting,
    placed: &[Placed<'_>],
) -> Result<(), Error> {
    let mut rows = Rows::new("row_identity_now", IDENTITY);
    for p in placed.iter().filter(|p| p.counts()) {
        rows.add()
            .int(posting.account.id)
            .blob(&p.read.prepared.identity)
            .int(p.id)
            .blob(&p.read.prepared.content);
    }
    rows.insert_into(tx, "row_identity_now").await?;
    Ok(())
}

type GroupKey = (i64, i64, Currency, Option<LedgerAccount>, RowKind);

#[derive(Default)]
struct Group {
    first: u64,
    last: u64,
    members: Vec<usize>,
    sums: BTreeMap<(LedgerAccount, Currency), i128>,
    batch: String,
}

/// One entry for all lines of the chunk that share day, batch, currency, contra account and kind.
async fn post(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting,
    placed: &mut [Placed<'_>],
) -> Result<(), Error> {
    let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
    for (at, p) in placed.iter().enumerate() {
        if !matches!(p.verdict, Some(Verdict::Matched | Verdict::Accounted)) {
            continue;
        }
        let contra = p.disposition.single().map(|part| part.account);
        let group = groups
            .entry((p.read.day, p.batch, p.line.currency, contra, p.line.kind))
            .or_default();
        if group.members.is_empty() {
            group.first = p.line.line_no;
            group.batch.clone_from(&p.line.batch_id);
        }
        group.last = p.line.line_no;
        group.members.push(at);
        for part in
            line_postings(&figures(p.line), &p.disposition).map_err(crate::derive::overflow)?
        {
            *group.sums.entry((part.account, part.currency)).or_default() +=
                i128::from(part.amount);
        }
    }
    let mut entries = Vec::with_capacity(groups.len());
    let mut numbered = Vec::with_capacity(groups.len());
    for ((day, batch, ..), group) in groups {
        let postings = sums(&group.sums)?;
        if postings.is_empty() {
            continue;
        }
        let first = line_name(
            &posting.file.sha256,
            i64::try_from(group.first).unwrap_or(i64::MAX),
        );
        let detail = serde_json::json!({ "lines": group.members.len() });
        numbered.push(group.members);
        entries.push(NewEntry {
            account_id: posting.account.id,
            accounting_day: day,
            batch_id: batch,
            batch: group.batch,
            cause_kind: "lines",
            cause: format!("{first}-{}", group.last),
            detail: stored::to_json(&detail)?,
            postings,
        });
    }
    let first = post_entries(tx, leaves, posting.now, &entries).await?;
    for (entry, members) in (first..).zip(numbered) {
        for at in members {
            if let Some(p) = placed.get_mut(at) {
                p.entry = entry;
            }
        }
    }
    Ok(())
}

fn sums(sums: &BTreeMap<(LedgerAccount, Currency), i128>) -> Result<Vec<LedgerPosting>, Error> {
    sums.iter()
        .filter(|(_, amount)| **amount != 0)
        .map(|((account, currency), amount)| {
            let minor = i64::try_from(*amount)
                .map_err(|_| crate::derive::overflow(domain::money::AmountOverflow))?;
            Ok(LedgerPosting::new(*account, Money::new(minor, *currency)))
        })
        .collect()
}

/// Keys of lines that are not judged yet: by them they are found when something else comes.
async fn write_keys(tx: &mut Tx, posting: &Posting, placed: &[Placed<'_>]) -> Result<(), Error> {
    let mut keys = matching::line_key_rows();
    for p in placed.iter().filter(|p| p.verdict.is_none()) {
        let l = p.line;
        let mut add = |prefix: char, text: &str| {
            if !text.is_empty() {
                keys.add()
                    .int(posting.account.id)
                    .text(&format!("{prefix}:{text}"))
                    .int(p.id);
            }
        };
        add('p', &l.provider_payment_id);
        add('m', &l.modification_id);
        add('r', &normalise(&l.merchant_reference));
    }
    matching::put_line_keys(tx, &keys).await?;
    Ok(())
}

async fn write_open(tx: &mut Tx, placed: &[Placed<'_>]) -> Result<(), Error> {
    let mut rows = Rows::new("intent_open", OPEN);
    for simple in placed.iter().filter_map(|p| p.simple.as_ref()) {
        rows.add()
            .int(simple.candidate.intent_id)
            .text("capture")
            .int(simple.candidate.amount)
            .int(simple.matched);
    }
    rows.insert_into(tx, "intent_open").await?;
    Ok(())
}

async fn add_batches(tx: &mut Tx, placed: &[Placed<'_>]) -> Result<(), Error> {
    let mut sums: BTreeMap<(i64, &str), BatchSums> = BTreeMap::new();
    for p in placed.iter().filter(|p| p.batch != 0 && p.counts()) {
        let s = sums
            .entry((p.batch, p.line.currency.as_str()))
            .or_insert_with(|| BatchSums {
                last_day: p.read.day,
                first_line: p.id,
                ..BatchSums::default()
            });
        s.lines += 1;
        s.odd_rows += i64::from(arithmetic_difference(&figures(p.line)) != 0);
        s.last_day = s.last_day.max(p.read.day);
        s.last_line = p.id;
        let add = |to: &mut i64, amount: i64| -> Result<(), Error> {
            *to = to
                .checked_add(amount)
                .ok_or_else(|| crate::derive::overflow(domain::money::AmountOverflow))?;
            Ok(())
        };
        if matches!(p.line.kind, RowKind::Payout | RowKind::PayoutReversal) {
            s.payouts += 1;
            add(&mut s.payout_net, p.line.net)?;
        } else {
            add(&mut s.gross, p.line.gross)?;
            add(&mut s.fee, p.line.fee)?;
            add(&mut s.net, p.line.net)?;
        }
    }
    files::add_batch_sums(
        tx,
        sums.into_iter()
            .map(|((batch, currency), s)| (batch, currency, s)),
    )
    .await?;
    Ok(())
}

async fn write_verdicts(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting,
    placed: &[Placed<'_>],
) -> Result<(), Error> {
    let sha256 = hash(&posting.file);
    let file = hex::encode(sha256.get(..8).unwrap_or_default());
    // A held file's rows have their first verdict already.
    let again = posting.report.rows_written;
    let seq = 1 + i64::from(again);
    let mut verdicts = Rows::new("verdict", VERDICT);
    let mut now = if again {
        matching::line_now_rows()
    } else {
        Rows::new("line_now", LINE_NOW)
    };
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for p in placed {
        let (contra, amount, currency) = contra_columns(&p.disposition);
        let (intent, attempt) = p.simple.as_ref().map_or((None, None), |s| {
            (Some(s.candidate.intent_id), Some(s.candidate.attempt_id))
        });
        let code = p.verdict.map_or("PENDING", Verdict::code);
        *counts.entry(code).or_default() += 1;
        let standing = if p.verdict.is_some() { seq } else { seq - 1 };
        now.add()
            .int(p.id)
            .int(posting.account.id)
            .int(standing)
            .text(code)
            .text(p.rule().code())
            .opt_int(intent)
            .opt_int(attempt)
            .text(contra)
            .int(amount)
            .text(&currency);
        let Some(verdict) = p.verdict else { continue };
        let line_no = i64::try_from(p.line.line_no).unwrap_or(i64::MAX);
        verdicts
            .add()
            .int(p.id)
            .int(seq)
            .text(verdict.code())
            .text(p.rule().code())
            .int(posting.account.policy_version)
            .opt_int(intent)
            .opt_int(attempt)
            .text(contra)
            .int(amount)
            .text(&currency)
            .int(p.entry)
            .text("")
            .text("file")
            .text(&file)
            .int(posting.now.micros());
        leaves.push_part(
            p.id,
            seq,
            &VerdictRecord {
                provider: &posting.account.name,
                file: &sha256,
                line_no,
                seq,
                verdict: verdict.code(),
                rule: p.rule().code(),
                policy_version: posting.account.policy_version,
                intent: p.simple.as_ref().map(|s| s.candidate.intent.as_str()),
                attempt: p.simple.as_ref().map(|s| s.candidate.attempt.as_str()),
                contra,
                contra_amount: amount,
                contra_currency: &currency,
                detail: SealedText::Plain(""),
                cause_kind: "file",
                cause: &file,
            },
        );
    }
    verdicts.insert_into(tx, "verdict").await?;
    if again {
        counts.insert("HELD", -i64::try_from(placed.len()).unwrap_or(i64::MAX));
        matching::put_line_now(tx, &now).await?;
    } else {
        now.insert_into(tx, "line_now").await?;
    }
    files::add_verdicts(
        tx,
        counts
            .into_iter()
            .map(|(verdict, n)| (posting.file.id, verdict, n)),
    )
    .await?;
    Ok(())
}
