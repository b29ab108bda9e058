//! One chunk of rows into the tables: sets, never row by row.

use super::{
    Item, Posting,
    simple::{Simple, by_key, decide},
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
};
use domain::{
    formats::{RejectedRow, Row},
    line::{RowKind, Rule, SettlementLine, Verdict},
    matching::keys::normalise,
    money::{Currency, Money},
    posting::{
        Disposition, Figures, LedgerAccount, Posting as LedgerPosting,
        entries::arithmetic_difference, line_postings,
    },
    seal::{
        Text as SealedText,
        records::{LineRecord, RejectedRowRecord, VerdictRecord},
    },
    time::Instant,
};
use std::collections::{BTreeMap, HashMap, HashSet};

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

/// Rows on their way, with what was looked up about them.
pub struct Chunk {
    items: Vec<Item>,
    candidates: Vec<SimpleCandidate>,
    repeats: bool,
}

impl Chunk {
    /// Rows and the candidates of their payment-like lines; `repeats` if some rows of the file may be
    /// counted already.
    pub const fn new(items: Vec<Item>, candidates: Vec<SimpleCandidate>, repeats: bool) -> Self {
        Self {
            items,
            candidates,
            repeats,
        }
    }

    /// How many rows.
    pub fn rows(&self) -> u64 {
        self.items.len() as u64
    }

    /// Physical line at which the last row starts.
    pub fn last_line(&self) -> u64 {
        match self.items.last() {
            Some((Row::Line(line), _)) => line.line_no,
            Some((Row::Rejected(row), _)) => row.line_no,
            _ => 0,
        }
    }
}

/// What becomes of a line now.
struct Placed<'a> {
    id: i64,
    line: &'a SettlementLine,
    prepared: rows::Prepared,
    day: i64,
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
    posting: &Posting<'_>,
    chunk: Chunk,
) -> Result<(), Error> {
    let Chunk {
        items,
        candidates,
        repeats,
    } = chunk;
    let (mut lines, mut rejected) = (Vec::with_capacity(items.len()), Vec::new());
    for (row, prepared) in &items {
        match (row, prepared) {
            (Row::Line(line), Some(prepared)) => lines.push((line, *prepared)),
            (Row::Rejected(row), _) => rejected.push(row),
            _ => {}
        }
    }
    if !posting.report.rows_written {
        write_rejected(tx, leaves, posting, &rejected).await?;
    }
    let mut placed = place(tx, posting, &lines, candidates, repeats).await?;
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
    posting: &Posting<'_>,
    lines: &[(&'a SettlementLine, rows::Prepared)],
    candidates: Vec<SimpleCandidate>,
    repeats: bool,
) -> Result<Vec<Placed<'a>>, Error> {
    let ids = line_ids(tx, posting, lines).await?;
    let batches = files::batch_ids(
        tx,
        posting.account.id,
        lines.iter().map(|(l, _)| l.batch_id.as_str()),
    )
    .await?;
    let mut counted: HashSet<rows::Identity> = HashSet::new();
    if repeats {
        let prepared: Vec<rows::Prepared> = lines.iter().map(|(_, p)| *p).collect();
        counted.extend(
            rows::counted(&mut *tx, posting.account.id, &prepared)
                .await?
                .into_keys(),
        );
    }
    let candidates = by_key(candidates);
    let mut taken: HashSet<i64> = HashSet::new();
    let mut placed = Vec::with_capacity(lines.len());
    for ((line, prepared), id) in lines.iter().zip(ids) {
        let repeated = repeats && !counted.insert(prepared.identity);
        let (verdict, simple) = decide_line(posting, line, repeated, &candidates, &mut taken)?;
        let disposition = match verdict {
            Some(verdict @ (Verdict::Matched | Verdict::Accounted)) => {
                Disposition::by_verdict(&figures(line), verdict).map_err(crate::derive::overflow)?
            }
            _ => Disposition::default(),
        };
        placed.push(Placed {
            id,
            line,
            prepared: *prepared,
            day: accounting_day(posting, line),
            batch: batches.get(&line.batch_id).copied().unwrap_or(0),
            verdict,
            simple,
            disposition,
            entry: 0,
        });
    }
    Ok(placed)
}

fn decide_line(
    posting: &Posting<'_>,
    line: &SettlementLine,
    repeated: bool,
    candidates: &HashMap<String, Option<SimpleCandidate>>,
    taken: &mut HashSet<i64>,
) -> Result<(Option<Verdict>, Option<Simple>), Error> {
    if posting.hold {
        return Ok((Some(Verdict::Held), None));
    }
    if repeated {
        return Ok((Some(Verdict::Repeated), None));
    }
    if !line.kind.concerns_payment() {
        let verdict = (line.kind != RowKind::Unrecognised).then_some(Verdict::Accounted);
        return Ok((verdict, None));
    }
    let Some(Some(candidate)) = candidates.get(&line.provider_payment_id) else {
        return Ok((None, None));
    };
    let simple = decide(line, candidate)?.filter(|s| taken.insert(s.candidate.intent_id));
    Ok((simple.is_some().then_some(Verdict::Matched), simple))
}

/// Keys of the lines: new ones, or those under which a held file's rows were written.
async fn line_ids(
    tx: &mut Tx,
    posting: &Posting<'_>,
    lines: &[(&SettlementLine, rows::Prepared)],
) -> Result<Vec<i64>, Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    if !posting.report.rows_written {
        let first = allocate(&mut *tx, "line", lines.len() as u64).await?;
        return Ok((first..).take(lines.len()).collect());
    }
    let (Some((first, _)), Some((last, _))) = (lines.first(), lines.last()) else {
        return Ok(Vec::new());
    };
    let known = files::line_ids(
        &mut *tx,
        posting.file.id,
        number(first.line_no),
        number(last.line_no),
    )
    .await?;
    lines
        .iter()
        .map(|(line, _)| {
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

/// The settled, else the occurred day in the account's zone, else the day on which the file came.
fn accounting_day(posting: &Posting<'_>, line: &SettlementLine) -> i64 {
    line.settled_at
        .or(line.occurred_at)
        .unwrap_or_else(|| Instant::from_micros(posting.file.received_at))
        .day_in(posting.account.zone)
        .number()
}

async fn write_lines(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting<'_>,
    placed: &[Placed<'_>],
) -> Result<(), Error> {
    let sha256 = hash(posting.file);
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
            .blob(&p.prepared.identity)
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
            .int(p.day)
            .int(p.batch)
            .text(&l.counterparty)
            .text(&l.description)
            .int(i64::from(l.lossy_text));
        leaves.push(
            p.id,
            &LineRecord {
                provider: &posting.account.name,
                file: &sha256,
                line_no,
                byte_offset,
                byte_len: i64::from(l.byte_len),
                row_id: &l.row_id,
                identity: &p.prepared.identity,
                kind: l.kind.code(),
                source_kind: &l.source_kind,
                provider_payment_id: &l.provider_payment_id,
                modification_id: &l.modification_id,
                merchant_reference: &l.merchant_reference,
                gross: l.gross,
                fee: l.fee,
                net: l.net,
                currency: l.currency.as_str(),
                presented_amount: l.presented.minor,
                presented_currency: l.presented.currency.as_str(),
                occurred_at: l.occurred_at.map(Instant::micros),
                settled_at: l.settled_at.map(Instant::micros),
                accounting_day: p.day,
                batch: &l.batch_id,
                counterparty: SealedText::Plain(&l.counterparty),
                description: SealedText::Plain(&l.description),
                lossy_text: i64::from(l.lossy_text),
            },
        );
    }
    rows.insert_into(tx, "line").await?;
    Ok(())
}

async fn write_rejected(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting<'_>,
    rejected: &[&RejectedRow],
) -> Result<(), Error> {
    if rejected.is_empty() {
        return Ok(());
    }
    let sha256 = hash(posting.file);
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
    posting: &Posting<'_>,
    placed: &[Placed<'_>],
) -> Result<(), Error> {
    let mut rows = Rows::new("row_identity_now", IDENTITY);
    for p in placed.iter().filter(|p| p.counts()) {
        rows.add()
            .int(posting.account.id)
            .blob(&p.prepared.identity)
            .int(p.id)
            .blob(&p.prepared.content);
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
    posting: &Posting<'_>,
    placed: &mut [Placed<'_>],
) -> Result<(), Error> {
    let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
    for (at, p) in placed.iter().enumerate() {
        if !matches!(p.verdict, Some(Verdict::Matched | Verdict::Accounted)) {
            continue;
        }
        let contra = p.disposition.single().map(|part| part.account);
        let group = groups
            .entry((p.day, p.batch, p.line.currency, contra, p.line.kind))
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
async fn write_keys(
    tx: &mut Tx,
    posting: &Posting<'_>,
    placed: &[Placed<'_>],
) -> Result<(), Error> {
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
                last_day: p.day,
                first_line: p.id,
                ..BatchSums::default()
            });
        s.lines += 1;
        s.odd_rows += i64::from(arithmetic_difference(&figures(p.line)) != 0);
        s.last_day = s.last_day.max(p.day);
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
    posting: &Posting<'_>,
    placed: &[Placed<'_>],
) -> Result<(), Error> {
    let sha256 = hash(posting.file);
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
