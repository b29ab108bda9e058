//! Held files that one person accepted as they are and that wait for a second.

use super::files::report;
use crate::{
    Error,
    ingest::FileReport,
    storage::{
        filelist::{self, FileShown},
        tx::Connected,
    },
    users::may_approve,
};
use domain::{
    actor::{Actor, Permission},
    time::Instant,
    view::overview::FileToAccept,
};

/// Those that this person could accept as the second, the longest waiting first.
pub(super) async fn files_to_accept(
    mut tx: impl Connected,
    actor: &Actor,
) -> Result<Vec<FileToAccept>, Error> {
    let second = actor.may(Permission::Approve) && actor.may(Permission::Ingest);
    let Some((me, _)) = actor.person().filter(|_| second) else {
        return Ok(Vec::new());
    };
    let mut waiting = Vec::new();
    for (id, detail) in filelist::held_steps(&mut tx).await? {
        if !is_acceptance(&detail) {
            continue;
        }
        let Some(file) = filelist::by_public_id(&mut tx, &id).await? else {
            continue;
        };
        let report = report(&file)?;
        let Some(first) = report.accepted_by.first() else {
            continue;
        };
        let independent = first.user_id == 0 || may_approve(&mut tx, first.user_id, me).await?;
        if independent {
            let at = filelist::events(&mut tx, file.id).await?;
            let at = at.first().map_or(file.received_at, |step| step.at);
            waiting.push(shown(&file, &report, Instant::from_micros(at)));
        }
    }
    waiting.sort_by(|a, b| (a.at, &a.file_id).cmp(&(b.at, &b.file_id)));
    Ok(waiting)
}

/// Whether the step that left a file held was somebody's acceptance.
fn is_acceptance(detail: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(detail)
        .is_ok_and(|detail| detail.get("accepted_by").is_some())
}

fn shown(file: &FileShown, report: &FileReport, at: Instant) -> FileToAccept {
    let first = report.accepted_by.first();
    FileToAccept {
        file_id: file.public_id.clone(),
        name: file.name.clone(),
        account: file.account.clone(),
        why: report
            .held_because
            .first()
            .map_or_else(String::new, |held| held.message.clone()),
        reason: first.map_or_else(String::new, |a| a.reason.clone()),
        by: first.map_or_else(String::new, |a| a.actor.clone()),
        at,
    }
}
