//! What becomes of the lines of one chunk: decided as a set, numbered, their entries posted.

use super::{
    Posting,
    read::{ReadLine, ReadRows},
    simple::{Chunk, Simple},
};
use crate::{
    Error,
    derive::line_name,
    ingest::rows,
    post_entries::post_entries,
    seal::Leaves,
    storage::{Tx, counter::allocate, entries::NewEntry, files, stored},
    unseen::Unseen,
};
use domain::{
    line::{RowKind, Rule, SettlementLine, Verdict},
    money::{Currency, Money},
    posting::{
        Disposition, Figures, LedgerAccount, Posting as LedgerPosting, arithmetic_difference,
        line_postings,
    },
};
use std::collections::{BTreeMap, HashMap, hash_map::Entry};

/// What becomes of a line now.
pub(super) struct Placed {
    pub(super) id: i64,
    /// The number of its last verdict, 0 while it has none.
    pub(super) seq: i64,
    pub(super) batch: i64,
    pub(super) verdict: Option<Verdict>,
    pub(super) simple: Option<Simple>,
    pub(super) disposition: Disposition,
    pub(super) entry: i64,
}

impl Placed {
    pub(super) fn rule(&self) -> Rule {
        match self.verdict {
            Some(Verdict::Matched) => Rule::ProviderId,
            Some(Verdict::Accounted) => Rule::Kind,
            _ => Rule::None,
        }
    }

    /// Whether the line counts: its identity, its batch, its money.
    pub(super) fn counts(&self) -> bool {
        !matches!(self.verdict, Some(Verdict::Held | Verdict::Repeated))
    }
}

/// A chunk of which all is decided and numbered, and whose entries are posted.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) rows: ReadRows,
    /// One for each line of the rows.
    pub(super) placed: Vec<Placed>,
}

impl Decided {
    /// Each line with what becomes of it.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Placed, &ReadLine)> {
        self.placed.iter().zip(&self.rows.lines)
    }
}

/// Whether rows of a file may repeat what stands: then what the rows before them wrote must be there.
pub(super) fn may_repeat(posting: &Posting) -> bool {
    // While a file was held, or work on it had stopped, others may have brought its rows.
    !posting.hold
        && (posting.report.repeated > 0 || posting.report.rows_written || posting.overtaken)
}

/// Decides a chunk and posts its entries; its rows are written afterwards.
pub(super) async fn decide(
    tx: &mut Tx,
    leaves: &mut Leaves,
    posting: &Posting,
    chunk: Chunk,
    taken: &mut Unseen<i64>,
) -> Result<Decided, Error> {
    let Chunk { rows, simple, .. } = chunk;
    let mut placed = place(tx, posting, &rows.lines, simple, taken).await?;
    if !posting.hold {
        post(tx, leaves, posting, &rows.lines, &mut placed).await?;
    }
    Ok(Decided { rows, placed })
}

/// Decides what becomes of each line now; what needs judging stays without a verdict.
async fn place(
    tx: &mut Tx,
    posting: &Posting,
    lines: &[ReadLine],
    simple: Vec<Option<Simple>>,
    taken: &mut Unseen<i64>,
) -> Result<Vec<Placed>, Error> {
    let ids = line_ids(tx, posting, lines).await?;
    let batches = files::batch_ids(
        tx,
        posting.account.id,
        lines.iter().map(|l| l.line.batch_id.as_str()),
    )
    .await?;
    let repeats = may_repeat(posting);
    let mut counted: HashMap<rows::Identity, rows::Content> = HashMap::new();
    if repeats {
        let prepared: Vec<rows::Prepared> = lines.iter().map(|l| l.prepared).collect();
        let known = rows::counted(&mut *tx, posting.account.id, &prepared).await?;
        counted.extend(known.into_iter().map(|(row, is)| (row, is.content)));
    }
    let mut placed = Vec::with_capacity(lines.len());
    for ((read, (id, seq)), simple) in lines.iter().zip(ids).zip(simple) {
        let line = &read.line;
        let stands = if repeats {
            is_counted(&mut counted, read)
        } else {
            Counted::Not
        };
        let (verdict, simple) = decide_line(posting, line, stands, simple, taken);
        let disposition = match verdict {
            Some(verdict @ (Verdict::Matched | Verdict::Accounted)) => {
                Disposition::by_verdict(&figures(line), verdict).map_err(crate::derive::overflow)?
            }
            _ => Disposition::default(),
        };
        placed.push(Placed {
            id,
            seq,
            batch: batches.get(&line.batch_id).copied().unwrap_or(0),
            verdict,
            simple,
            disposition,
            entry: 0,
        });
    }
    Ok(placed)
}

/// Whether a row counts already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    Not,
    Same,
    /// With other figures, from another file that was used since this one was read.
    Otherwise,
}

/// Whether a row is counted already; else it counts from here on.
fn is_counted(counted: &mut HashMap<rows::Identity, rows::Content>, read: &ReadLine) -> Counted {
    let row = &read.prepared;
    match counted.entry(row.identity) {
        Entry::Vacant(new) => {
            new.insert(row.content);
            Counted::Not
        }
        Entry::Occupied(known) if *known.get() == row.content => Counted::Same,
        Entry::Occupied(_) => Counted::Otherwise,
    }
}

fn decide_line(
    posting: &Posting,
    line: &SettlementLine,
    stands: Counted,
    simple: Option<Simple>,
    taken: &mut Unseen<i64>,
) -> (Option<Verdict>, Option<Simple>) {
    match stands {
        // The figures in use stand. Part of this file may be in the books, so that the file as a whole
        // can no longer be held: the row alone is, and a case names it.
        _ if posting.hold => return (Some(Verdict::Held), None),
        Counted::Otherwise => return (Some(Verdict::Held), None),
        Counted::Same => return (Some(Verdict::Repeated), None),
        Counted::Not => {}
    }
    if arithmetic_difference(&figures(line)) != 0 {
        // Its difference stands apart and is named: no simple case.
        return (None, None);
    }
    if !line.kind.concerns_payment() {
        let verdict = (line.kind != RowKind::Unrecognised).then_some(Verdict::Accounted);
        return (verdict, None);
    }
    match simple {
        Some(simple) if taken.take(simple.candidate.intent_id) => {
            (Some(Verdict::Matched), Some(simple))
        }
        _ => (None, None),
    }
}

/// Keys of the lines and the numbers of their last verdicts: new ones, or those under which a held file's
/// rows were written.
async fn line_ids(
    tx: &mut Tx,
    posting: &Posting,
    lines: &[ReadLine],
) -> Result<Vec<(i64, i64)>, Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    if !posting.report.rows_written {
        let first = allocate(&mut *tx, "line", lines.len() as u64).await?;
        return Ok((first..).map(|id| (id, 0)).take(lines.len()).collect());
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

pub(super) fn figures(line: &SettlementLine) -> Figures {
    Figures {
        kind: line.kind,
        gross: line.gross,
        fee: line.fee,
        net: line.net,
        currency: line.currency,
        presented: line.presented,
    }
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
    lines: &[ReadLine],
    placed: &mut [Placed],
) -> Result<(), Error> {
    let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
    for (at, (p, read)) in placed.iter().zip(lines).enumerate() {
        if !matches!(p.verdict, Some(Verdict::Matched | Verdict::Accounted)) {
            continue;
        }
        let contra = p.disposition.single().map(|part| part.account);
        let group = groups
            .entry((
                read.day,
                p.batch,
                read.line.currency,
                contra,
                read.line.kind,
            ))
            .or_default();
        if group.members.is_empty() {
            group.first = read.line.line_no;
            group.batch.clone_from(&read.line.batch_id);
        }
        group.last = read.line.line_no;
        group.members.push(at);
        for part in
            line_postings(&figures(&read.line), &p.disposition).map_err(crate::derive::overflow)?
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
