//! Rows that were decided keep their place.

use super::lists::Listed;
use crate::{
    Error,
    storage::{
        queue::{self, CaseRow},
        tx::Connected,
    },
};
use domain::view::queue::{QueueFilter, QueueView};

/// Puts rows that were decided back where they stood, so that nothing moves under the person's hands.
/// Lists of what is done have another order: there rows go as they go.
pub(super) async fn hold(
    mut tx: impl Connected,
    filter: &QueueFilter,
    mut listed: Listed,
) -> Result<Listed, Error> {
    let held = filter.held_rows();
    if held.is_empty() || filter.view == QueueView::Resolved {
        return Ok(listed);
    }
    let mut keys = Vec::with_capacity(held.len());
    for (id, _) in &held {
        keys.extend(queue::case_by_public_id(&mut tx, id).await?);
    }
    let found = queue::by_ids(&mut tx, keys).await?;
    for row in found {
        let Some((_, severity)) = held.iter().find(|(id, _)| *id == row.public_id) else {
            continue;
        };
        let listed_still = listed.rows.iter().any(|r| r.case_id == row.case_id);
        listed.rows.retain(|r| r.case_id != row.case_id);
        if !listed_still {
            listed.held.insert(row.case_id);
        }
        let severity = i64::from(*severity);
        let place = (std::cmp::Reverse(severity), row.opened_at, row.case_id);
        let at = listed
            .rows
            .iter()
            .position(|r| place_of(r, &held) > place)
            .unwrap_or(listed.rows.len());
        listed.rows.insert(at, row);
    }
    Ok(listed)
}

/// Where a row stands: in the order of the queue, by the severity that it had when it was decided.
fn place_of(row: &CaseRow, held: &[(String, u8)]) -> (std::cmp::Reverse<i64>, i64, i64) {
    let severity = held
        .iter()
        .find(|(id, _)| *id == row.public_id)
        .map_or(row.severity, |(_, severity)| i64::from(*severity));
    (std::cmp::Reverse(severity), row.opened_at, row.case_id)
}
