//! The cases just before and after one.

use super::{
    filter::{Names, wanted},
    queue as whole_queue,
};
use crate::{
    Engine, Error,
    storage::queue::{self, CaseRow},
};
use domain::{
    actor::Actor,
    view::queue::{QueueFilter, QueueView},
};

/// Public ids of the cases just before and after one in the queue under a filter.
pub(in crate::views) async fn neighbours(
    engine: &Engine,
    actor: &Actor,
    filter: &QueueFilter,
    case: &CaseRow,
) -> Result<(Option<String>, Option<String>), Error> {
    let by_place = filter.q.trim().is_empty()
        && matches!(
            filter.view,
            QueueView::All | QueueView::Mine | QueueView::Over48h | QueueView::Waiting
        );
    if !by_place {
        let listed = whole_queue(engine, actor, &filter.afresh()).await?;
        let ids: Vec<String> = listed.rows.into_iter().map(|row| row.id).collect();
        let at = ids.iter().position(|id| *id == case.public_id);
        let before = at
            .and_then(|at| at.checked_sub(1))
            .and_then(|at| ids.get(at).cloned());
        let after = at.and_then(|at| ids.get(at + 1).cloned());
        return Ok((before, after));
    }
    let mut reader = engine.store.read().await?;
    let names = Names::read(&mut reader).await?;
    let wanted = wanted(engine, actor, &mut reader, filter, &names, &mut Vec::new()).await?;
    let place = (case.severity, case.opened_at, case.case_id);
    let before = queue::open_before(&mut reader, &wanted, place).await?;
    let after = queue::open(&mut reader, &wanted, place).await?;
    Ok((before, after.into_iter().next().map(|row| row.public_id)))
}
