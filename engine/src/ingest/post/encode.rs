//! A decided chunk as rows of the tables and leaves, made on a thread of its own while the chunk before
//! it is written; then written as sets, never row by row.

use super::{
    Posting, Unit,
    chunk::{Decided, figures},
    simple::Simple,
};
use crate::{
    Error,
    derive::lines::contra_columns,
    ingest::{
        file::hash,
        rows::{Content, Identity},
    },
    seal::Leaves,
    storage::{
        Rows, Tx,
        files::{self, BatchSums},
        matching::{self, LINE, LINE_NOW, VERDICT},
        statement::ColumnType::{self, Blob, Int, Text},
    },
};
use domain::{
    formats::RejectedRow,
    line::{RowKind, Verdict},
    matching::keys::normalise,
    money::Currency,
    posting::arithmetic_difference,
    seal::{
        RecordKind, Text as SealedText,
        records::{RejectedRowRecord, VerdictRecord},
    },
    time::Instant,
};
use std::collections::BTreeMap;

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

/// What a chunk writes.
pub(super) struct Encoded {
    leaves: Leaves,
    rejected: Rows,
    lines: Rows,
    identities: Identities,
    keys: Rows,
    open: Rows,
    batches: Batches,
    verdicts: Verdicts,
    file: i64,
    again: bool,
}

/// Makes the rows and leaves of a chunk; `leaves` are empty ones.
pub(super) fn encode(
    mut leaves: Leaves,
    posting: &Posting,
    decided: &Decided,
) -> Result<Encoded, Error> {
    let nothing = Decided::default();
    // A held file's rows stand already; as long as it is held, none of them counts.
    let new = if posting.report.rows_written {
        &nothing
    } else {
        decided
    };
    let used = if posting.hold { &nothing } else { decided };
    Ok(Encoded {
        rejected: rejected_rows(&mut leaves, posting, &new.rows.rejected),
        lines: line_rows(&mut leaves, posting, new),
        identities: Identities::of(used),
        keys: key_rows(posting, used),
        open: open_rows(used),
        batches: batch_sums(used)?,
        verdicts: verdict_rows(&mut leaves, posting, decided),
        file: posting.file.id,
        again: posting.report.rows_written,
        leaves,
    })
}

impl Encoded {
    /// Writes the chunk.
    pub(super) async fn write(mut self, tx: &mut Tx, unit: &mut Unit) -> Result<(), Error> {
        unit.leaves.append(self.leaves);
        unit.identities.0.append(&mut self.identities.0);
        self.rejected.insert_into(tx, "rejected_row").await?;
        self.lines.insert_into(tx, "line").await?;
        matching::put_line_keys(tx, &self.keys).await?;
        self.open.insert_into(tx, "intent_open").await?;
        let sums = self.batches.iter();
        let sums = sums.map(|((batch, currency), sums)| (*batch, currency.as_str(), *sums));
        files::add_batch_sums(tx, sums).await?;
        let Verdicts { given, now, counts } = self.verdicts;
        given.insert_into(tx, "verdict").await?;
        if self.again {
            matching::put_line_now(tx, &now).await?;
        } else {
            now.insert_into(tx, "line_now").await?;
        }
        let counts = counts.into_iter();
        files::add_verdicts(tx, counts.map(|(verdict, n)| (self.file, verdict, n))).await?;
        Ok(())
    }
}

fn line_rows(leaves: &mut Leaves, posting: &Posting, decided: &Decided) -> Rows {
    let mut rows = Rows::new("line", LINE);
    for (p, read) in decided.each() {
        let l = &read.line;
        let line_no = i64::try_from(l.line_no).unwrap_or(i64::MAX);
        let byte_offset = i64::try_from(l.byte_offset).unwrap_or(i64::MAX);
        rows.add()
            .int(p.id)
            .int(posting.file.id)
            .int(line_no)
            .int(byte_offset)
            .int(i64::from(l.byte_len))
            .text(&l.row_id)
            .blob(&read.prepared.identity)
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
            .int(read.day)
            .int(p.batch)
            .text(&l.counterparty)
            .text(&l.description)
            .int(i64::from(l.lossy_text));
        leaves.push_leaf(RecordKind::Line, p.id, 0, read.leaf);
    }
    rows
}

fn rejected_rows(leaves: &mut Leaves, posting: &Posting, rejected: &[RejectedRow]) -> Rows {
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
    rows
}

/// Identities of lines that count, with what the lines say. Their key is a hash: they are written in its
/// order at the end of a unit of work, so that many fall on each page that is touched.
#[derive(Default)]
pub(super) struct Identities(Vec<(Identity, i64, Content)>);

impl Identities {
    fn of(decided: &Decided) -> Self {
        let counted = decided.each().filter(|(p, _)| p.counts());
        let all = counted
            .map(|(p, read)| (read.prepared.identity, p.id, read.prepared.content))
            .collect();
        Self(all)
    }

    /// Writes them and empties the collection.
    pub(super) async fn write(&mut self, tx: &mut Tx, account: i64) -> Result<(), Error> {
        self.0.sort_unstable();
        let mut rows = Rows::new("row_identity_now", IDENTITY);
        for (identity, line, content) in self.0.drain(..) {
            rows.add()
                .int(account)
                .blob(&identity)
                .int(line)
                .blob(&content);
        }
        rows.insert_into(tx, "row_identity_now").await?;
        Ok(())
    }
}

/// Keys of lines that are not judged yet: by them they are found when something else comes.
fn key_rows(posting: &Posting, decided: &Decided) -> Rows {
    let mut keys = matching::line_key_rows();
    for (p, read) in decided.each().filter(|(p, _)| p.verdict.is_none()) {
        let l = &read.line;
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
    keys
}

/// In the order of the intents.
fn open_rows(decided: &Decided) -> Rows {
    let mut matched: Vec<&Simple> = decided
        .placed
        .iter()
        .filter_map(|p| p.simple.as_ref())
        .collect();
    matched.sort_unstable_by_key(|simple| simple.candidate.intent_id);
    let mut rows = Rows::new("intent_open", OPEN);
    for simple in matched {
        rows.add()
            .int(simple.candidate.intent_id)
            .text("capture")
            .int(simple.candidate.amount)
            .int(simple.matched);
    }
    rows
}

type Batches = BTreeMap<(i64, Currency), BatchSums>;

fn batch_sums(decided: &Decided) -> Result<Batches, Error> {
    let mut sums = Batches::new();
    let counted = decided.each().filter(|(p, _)| p.batch != 0 && p.counts());
    for (p, read) in counted {
        let s = sums
            .entry((p.batch, read.line.currency))
            .or_insert_with(|| BatchSums {
                last_day: read.day,
                first_line: p.id,
                ..BatchSums::default()
            });
        s.lines += 1;
        s.odd_rows += i64::from(arithmetic_difference(&figures(&read.line)) != 0);
        s.last_day = s.last_day.max(read.day);
        s.last_line = p.id;
        let add = |to: &mut i64, amount: i64| -> Result<(), Error> {
            *to = to
                .checked_add(amount)
                .ok_or_else(|| crate::derive::overflow(domain::money::AmountOverflow))?;
            Ok(())
        };
        if matches!(read.line.kind, RowKind::Payout | RowKind::PayoutReversal) {
            s.payouts += 1;
            add(&mut s.payout_net, read.line.net)?;
        } else {
            add(&mut s.gross, read.line.gross)?;
            add(&mut s.fee, read.line.fee)?;
            add(&mut s.net, read.line.net)?;
        }
    }
    Ok(sums)
}

struct Verdicts {
    given: Rows,
    now: Rows,
    counts: BTreeMap<&'static str, i64>,
}

fn verdict_rows(leaves: &mut Leaves, posting: &Posting, decided: &Decided) -> Verdicts {
    let sha256 = hash(&posting.file);
    let file = hex::encode(sha256.get(..8).unwrap_or_default());
    // A held file's rows have verdicts already.
    let again = posting.report.rows_written;
    let mut verdicts = Rows::new("verdict", VERDICT);
    let mut now = if again {
        matching::line_now_rows()
    } else {
        Rows::new("line_now", LINE_NOW)
    };
    let mut counts: BTreeMap<&'static str, i64> = BTreeMap::new();
    for (p, read) in decided.each() {
        let (contra, amount, currency) = contra_columns(&p.disposition);
        let (intent, attempt) = p.simple.as_ref().map_or((None, None), |s| {
            (Some(s.candidate.intent_id), Some(s.candidate.attempt_id))
        });
        let code = p.verdict.map_or("PENDING", Verdict::code);
        *counts.entry(code).or_default() += 1;
        let seq = p.seq + 1;
        let standing = if p.verdict.is_some() { seq } else { p.seq };
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
        let line_no = i64::try_from(read.line.line_no).unwrap_or(i64::MAX);
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
    if again {
        let were = i64::try_from(decided.placed.len()).unwrap_or(i64::MAX);
        // Rows of it that others brought with other figures stay held.
        *counts.entry(Verdict::Held.code()).or_default() -= were;
    }
    Verdicts {
        given: verdicts,
        now,
        counts,
    }
}
