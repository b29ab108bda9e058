//! Files about which one person said something that waits for a second: held ones that they accepted as
//! they are, and used ones that they want taken back.

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
use std::collections::BTreeSet;

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
    let mut seen = BTreeSet::new();
    for id in filelist::asked_back(&mut tx).await? {
        if !seen.insert(id.clone()) {
            continue;
        }
        let Some(file) = filelist::by_public_id(&mut tx, &id).await? else {
            continue;
        };
        let asked = match report(&file)?.take_back {
            Some(word) if word.agreed.is_none() => word.asked,
            _ => continue,
        };
        if may_approve(&mut tx, asked.user_id, me).await? {
            let at = filelist::events(&mut tx, file.id).await?;
            let at = at.first().map_or(file.received_at, |step| step.at);
            waiting.push(FileToAccept {
                file_id: file.public_id.clone(),
                name: file.name.clone(),
                account: file.account.clone(),
                why: "It is to be taken back out of the books.".to_owned(),
                what: "Wanted".to_owned(),
                reason: asked.reason,
                by: asked.actor,
                at: Instant::from_micros(at),
            });
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
        what: "Accepted".to_owned(),
        reason: first.map_or_else(String::new, |a| a.reason.clone()),
        by: first.map_or_else(String::new, |a| a.actor.clone()),
        at,
    }
}
