//! A page of lines leaves the books, and what hung together with them is judged without them.

use super::work::TakingBack;
use crate::{
    Error,
    derive::{
        Buckets, Cause, Seeds, Work,
        cases::{About, write_for},
        derive,
        load::together,
        take_out::{name_of, take_out},
    },
    seal::Leaves,
    storage::{
        Tx, cases, files,
        matching::{self, StoredLine},
        stored,
    },
};
use domain::{
    cases::{CaseKind, CaseState, Subject},
    line::RowKind,
    time::Instant,
};
use std::collections::{BTreeMap, BTreeSet};

/// Takes lines out, judges what is left, and brings the sums of their batches up to date.
pub(super) async fn take_out_page(
    tx: &mut Tx,
    leaves: &mut Leaves,
    of: &TakingBack<'_>,
    ids: &[i64],
    now: Instant,
) -> Result<(), Error> {
    let cause = of.cause(now);
    let mut lines = matching::lines(&mut *tx, ids.iter().copied()).await?;
    lines.sort_by_key(|line| line.id);
    let out = Seeds {
        lines: ids.iter().copied().collect(),
        ..Seeds::default()
    };
    let left = together(&mut *tx, &out).await?;
    let buckets = matching::drop_line_buckets(tx, ids.iter().copied()).await?;
    let mut work = Work {
        tx: &mut *tx,
        leaves: &mut *leaves,
        accounts: &of.known,
        cause,
    };
    take_out(&mut work, &lines, of.day()).await?;
    close_cases(&mut work, &lines).await?;
    // Those that were taken out are no longer found.
    let given = Buckets::Given(&buckets);
    derive(tx, leaves, &of.known, of.account.id, &left, given, cause).await?;
    recount(tx, leaves, of, &lines, cause).await
}

/// Closes the cases about these lines themselves.
async fn close_cases(work: &mut Work<'_>, lines: &[StoredLine]) -> Result<(), Error> {
    let about = cases::about(
        &mut *work.tx,
        std::iter::empty(),
        lines.iter().map(|l| l.id),
    );
    let ids = about.await?;
    let subjects: BTreeSet<String> = lines
        .iter()
        .map(|l| format!("line:{}", name_of(l)))
        .collect();
    let mut standing = cases::by_id(&mut *work.tx, ids.into_iter()).await?;
    standing.retain(|case| {
        case.state != CaseState::Resolved.code() && subjects.contains(&case.subject)
    });
    if !standing.is_empty() {
        write_for(work, standing, Vec::new(), About::default()).await?;
    }
    Ok(())
}

/// Adds the batches of lines up without them; of those of which nothing is left the case closes.
async fn recount(
    tx: &mut Tx,
    leaves: &mut Leaves,
    of: &TakingBack<'_>,
    lines: &[StoredLine],
    cause: Cause<'_>,
) -> Result<(), Error> {
    let mut odd: BTreeMap<(i64, &str), i64> = BTreeMap::new();
    for line in lines.iter().filter(|l| l.batch_id != 0 && counted(l)) {
        *odd.entry((line.batch_id, line.currency.as_str()))
            .or_default() += i64::from(is_odd(line)?);
    }
    if odd.is_empty() {
        return Ok(());
    }
    let batches: Vec<(i64, String, i64)> = odd
        .into_iter()
        .map(|((batch, currency), odd)| (batch, currency.to_owned(), odd))
        .collect();
    let empty = files::recount_batches(tx, &batches).await?;
    let names = files::batch_names(&mut *tx, empty.iter().map(|(batch, _)| *batch)).await?;
    let subjects: Vec<String> = empty
        .iter()
        .filter_map(|(batch, currency)| {
            let name = names.get(batch)?;
            Some(Subject::Batch(format!("{}:{name}:{currency}", of.account.name)).to_string())
        })
        .collect();
    let kind = CaseKind::BatchOutOfBalance.code();
    let open = cases::of_subjects(&mut *tx, subjects.iter().map(|s| (kind, s.as_str()))).await?;
    let mut open = cases::by_id(&mut *tx, open.into_iter()).await?;
    open.retain(|case| case.state != CaseState::Resolved.code());
    if open.is_empty() {
        return Ok(());
    }
    let mut work = Work {
        tx,
        leaves,
        accounts: &of.known,
        cause,
    };
    write_for(&mut work, open, Vec::new(), About::default()).await?;
    Ok(())
}

/// Whether a line counted: a row that repeats another did not.
fn counted(line: &StoredLine) -> bool {
    !matches!(line.verdict.as_str(), "HELD" | "REPEATED" | "SUPERSEDED")
}

/// Whether the net of a row is not gross less fee.
pub(super) fn is_odd(line: &StoredLine) -> Result<bool, Error> {
    let kind: RowKind = stored::parse("line", "kind", line.id, &line.kind)?;
    Ok(!kind.is_fee() && line.gross.checked_sub(line.fee) != Some(line.net))
}
