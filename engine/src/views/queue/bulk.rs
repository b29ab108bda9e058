//! What can be decided about several cases at once.

use crate::storage::queue::CaseRow;
use domain::{
    actor::{Actor, Permission},
    cases::{Action, CaseKind, in_bulk},
    view::{bulk::APPROVE, queue::QueueView},
};
use std::collections::BTreeSet;

/// What this person can decide about several of the rows at once, in the order of their kinds' own
/// lists; for a row of another kind the decision is refused when it is tried.
pub(super) fn bulk_actions(actor: &Actor, view: QueueView, rows: &[CaseRow]) -> Vec<String> {
    if rows.is_empty() || actor.person().is_none() {
        return Vec::new();
    }
    let one = |may, code: &str| {
        if may {
            vec![code.to_owned()]
        } else {
            Vec::new()
        }
    };
    match view {
        QueueView::ToApprove => return one(actor.may(Permission::Approve), APPROVE),
        QueueView::Resolved => {
            return one(actor.may(Permission::Decide), Action::Reopen.code());
        }
        _ if !actor.may(Permission::Decide) => return Vec::new(),
        _ => {}
    }
    let kinds: BTreeSet<CaseKind> = rows.iter().filter_map(|r| r.kind.parse().ok()).collect();
    let (mut settling, mut handling) = (Vec::new(), Vec::new());
    if view == QueueView::Waiting {
        handling.push(Action::Reopen);
    }
    for action in kinds.into_iter().flat_map(in_bulk) {
        let list = if action.is_handling() {
            &mut handling
        } else {
            &mut settling
        };
        if !list.contains(&action) {
            list.push(action);
        }
    }
    settling
        .into_iter()
        .chain(handling)
        .map(|action| action.code().to_owned())
        .collect()
}
