//! How many cases are under each view, and what they come to.

use super::{
    filter::{Names, wanted},
    lists::figures,
};
use crate::{
    Engine, Error,
    storage::{
        StorageError,
        queue::{self, Counts, Figures, Wanted},
        saved_views, stored,
        tx::Connected,
    },
    views::{
        nav::{approver, count},
        second_acceptance::files_to_accept,
    },
};
use domain::{
    actor::Actor,
    view::{
        Amount,
        queue::{QueueFilter, QueueView, SavedView, ViewCount},
    },
};

pub(super) async fn views(
    mut tx: impl Connected,
    actor: &Actor,
    wanted: &Wanted<'_>,
) -> Result<Vec<ViewCount>, Error> {
    let Counts {
        unresolved,
        waiting,
        mine,
        over_48h,
    } = queue::counts(&mut tx, wanted.person, wanted.opened_before).await?;
    let to_approve = match approver(&mut tx, actor).await? {
        Some(approver) => queue::to_approve_count(&mut tx, &approver).await?,
        None => 0,
    };
    let resolved = queue::last_case(&mut tx).await? - unresolved;
    let of = |view: QueueView| match view {
        QueueView::All => unresolved - waiting,
        QueueView::Mine => mine,
        QueueView::ToApprove => to_approve,
        QueueView::Over48h => over_48h,
        QueueView::Waiting => waiting,
        QueueView::Resolved => resolved,
    };
    let files = files_to_accept(&mut tx, actor).await?.len();
    let counts = QueueView::ALL.iter().map(|view| ViewCount {
        view: *view,
        count: count(of(*view))
            + if *view == QueueView::ToApprove {
                files as u64
            } else {
                0
            },
    });
    Ok(counts.collect())
}

/// What the person keeps by name, each with how many cases are under it now.
pub(super) async fn saved(
    engine: &Engine,
    actor: &Actor,
    mut tx: impl Connected,
    names: &Names,
) -> Result<Vec<SavedView>, Error> {
    let Some((person, _)) = actor.person() else {
        return Ok(Vec::new());
    };
    let mut saved = Vec::new();
    for view in saved_views::of_person(&mut tx, person).await? {
        let filter: QueueFilter = stored::json("saved_view", "filter", view.id, &view.filter)?;
        let wanted = wanted(engine, actor, &mut tx, &filter, names, &mut Vec::new()).await?;
        let figures = figures(&mut tx, actor, &filter, &wanted).await?;
        saved.push(SavedView {
            view_id: view.id,
            name: view.name,
            count: figures.iter().map(|f| count(f.cases)).sum(),
            filter,
        });
    }
    Ok(saved)
}

pub(super) fn totals(figures: &[Figures]) -> Result<Vec<Amount>, StorageError> {
    figures
        .iter()
        .filter(|f| !f.currency.is_empty())
        .map(|f| {
            let currency = stored::parse("case_now", "currency", "sum", &f.currency)?;
            Ok(Amount::new(f.at_risk(), currency))
        })
        .collect()
}
