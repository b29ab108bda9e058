//! The lists behind the views.

use super::filter::{fits, held_by_somebody, in_view};
use crate::{
    Error,
    storage::{
        StorageError,
        queue::{self, CaseRow, Figures, PAGE, Wanted},
        search,
        tx::Connected,
    },
    views::{nav::approver, place},
};
use domain::{
    actor::Actor,
    time::Instant,
    view::queue::{QueueFilter, QueueView},
};
use std::collections::BTreeSet;

pub(super) struct Listed {
    pub(super) rows: Vec<CaseRow>,
    /// Keys of those that only keep their place.
    pub(super) held: BTreeSet<i64>,
    pub(super) figures: Vec<Figures>,
    pub(super) oldest: Option<Instant>,
    pub(super) next: Option<String>,
}

/// A page of cases under a filter, with figures over all of it.
pub(super) async fn list(
    mut tx: impl Connected,
    actor: &Actor,
    filter: &QueueFilter,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    match (filter.view, filter.q.trim()) {
        (_, q) if !q.is_empty() => searched(&mut tx, filter.view, q, wanted).await,
        (QueueView::ToApprove, _) => to_approve(&mut tx, actor, wanted).await,
        (QueueView::Resolved, _) => done(&mut tx, filter, wanted).await,
        _ => open(&mut tx, filter, wanted).await,
    }
}

/// Figures over a whole filter.
pub(super) async fn figures(
    mut tx: impl Connected,
    actor: &Actor,
    filter: &QueueFilter,
    wanted: &Wanted<'_>,
) -> Result<Vec<Figures>, Error> {
    Ok(match (filter.view, filter.q.trim()) {
        (_, q) if !q.is_empty() => searched(&mut tx, filter.view, q, wanted).await?.figures,
        (QueueView::ToApprove, _) => to_approve(&mut tx, actor, wanted).await?.figures,
        (QueueView::Resolved, _) => done_figures(&mut tx, wanted).await?,
        _ => queue::open_figures(&mut tx, wanted).await?,
    })
}

/// Nobody holds what is done: a filter by owner leaves nothing of it.
async fn done_figures(
    tx: impl Connected,
    wanted: &Wanted<'_>,
) -> Result<Vec<Figures>, StorageError> {
    if held_by_somebody(wanted) {
        return Ok(Vec::new());
    }
    queue::done_figures(tx, wanted).await
}

async fn open(
    mut tx: impl Connected,
    filter: &QueueFilter,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let after = place::read::<3>(&filter.after)?.unwrap_or([i64::MAX, i64::MIN, i64::MIN]);
    let mut rows = queue::open(&mut tx, wanted, after.into()).await?;
    let next = cut(&mut rows, |r| {
        place::write(&[r.severity, r.opened_at, r.case_id])
    });
    let figures = queue::open_figures(&mut tx, wanted).await?;
    let oldest = figures
        .iter()
        .map(|f| f.oldest)
        .min()
        .map(Instant::from_micros);
    Ok(Listed {
        rows,
        held: BTreeSet::new(),
        figures,
        oldest,
        next,
    })
}

async fn done(
    mut tx: impl Connected,
    filter: &QueueFilter,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let before = place::read::<2>(&filter.after)?.unwrap_or([i64::MAX, i64::MAX]);
    let mut rows = queue::done(&mut tx, wanted, before.into()).await?;
    let next = cut(&mut rows, |r| {
        place::write(&[r.resolved_at.unwrap_or(0), r.case_id])
    });
    if held_by_somebody(wanted) {
        rows.clear();
    }
    let next = next.filter(|_| !rows.is_empty());
    let figures = done_figures(&mut tx, wanted).await?;
    Ok(Listed {
        rows,
        held: BTreeSet::new(),
        figures,
        oldest: None,
        next,
    })
}

async fn to_approve(
    mut tx: impl Connected,
    actor: &Actor,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let rows = match approver(&mut tx, actor).await? {
        Some(approver) => queue::to_approve(&mut tx, &approver).await?,
        None => Vec::new(),
    };
    let rows = rows.into_iter().filter(|row| fits(row, wanted)).collect();
    Ok(whole(of_file(&mut tx, rows, wanted).await?))
}

/// Of some cases, those that the file which the filter asks for is about.
async fn of_file(
    tx: impl Connected,
    mut rows: Vec<CaseRow>,
    wanted: &Wanted<'_>,
) -> Result<Vec<CaseRow>, StorageError> {
    if wanted.file != 0 {
        let keys = rows.iter().map(|row| row.case_id);
        let its: BTreeSet<i64> = queue::of_file(tx, keys, wanted.file)
            .await?
            .into_iter()
            .collect();
        rows.retain(|row| its.contains(&row.case_id));
    }
    Ok(rows)
}

/// Cases that a text names: by their own id, by their intent, by what their line carries.
async fn searched(
    mut tx: impl Connected,
    view: QueueView,
    q: &str,
    wanted: &Wanted<'_>,
) -> Result<Listed, Error> {
    let intents = search::intents(&mut tx, q).await?;
    let mut ids = queue::of_intents(&mut tx, &intents).await?;
    ids.extend(search::cases_of_lines(&mut tx, q).await?);
    ids.extend(queue::case_by_public_id(&mut tx, q).await?);
    ids.sort_unstable();
    ids.dedup();
    let mut rows = queue::by_ids(&mut tx, ids).await?;
    rows.retain(|row| fits(row, wanted) && in_view(row, view, wanted));
    rows.sort_by_key(|row| (std::cmp::Reverse(row.severity), row.opened_at, row.case_id));
    Ok(whole(of_file(&mut tx, rows, wanted).await?))
}

/// A list that is read whole, with its figures.
fn whole(rows: Vec<CaseRow>) -> Listed {
    let mut figures: Vec<Figures> = Vec::new();
    for row in &rows {
        match figures.iter_mut().find(|f| f.currency == row.currency) {
            Some(f) => {
                f.add(row.at_risk);
                f.cases += 1;
                f.oldest = f.oldest.min(row.opened_at);
            }
            None => figures.push(Figures {
                currency: row.currency.clone(),
                at_risk_high: 0,
                at_risk_low: row.at_risk,
                cases: 1,
                oldest: row.opened_at,
            }),
        }
    }
    let oldest = figures
        .iter()
        .map(|f| f.oldest)
        .min()
        .map(Instant::from_micros);
    Listed {
        rows,
        held: BTreeSet::new(),
        figures,
        oldest,
        next: None,
    }
}

fn cut(rows: &mut Vec<CaseRow>, key: impl Fn(&CaseRow) -> String) -> Option<String> {
    let more = rows.len() > PAGE;
    rows.truncate(PAGE);
    rows.last().filter(|_| more).map(key)
}
