//! Which decision an entry rests on, and who took it. A moved line names it by its verdict, an entry
//! of a decision by its detail.

use crate::{
    Error,
    storage::{
        books::Entry,
        cases,
        decisions::{self, StoredDecision},
        lines, stored,
        tx::Connected,
    },
};
use domain::{
    cases::{Action, ReasonCode},
    time::Instant,
    view::entry::EntryDecision,
};

/// The decision that caused an entry; `line` is the one whose amount it moved, where it did.
pub(super) async fn of_entry(
    mut tx: impl Connected,
    entry: &Entry,
    line: Option<i64>,
) -> Result<Option<EntryDecision>, Error> {
    let name = match (entry.cause_kind.as_str(), line) {
        ("move", Some(line)) => of_move(&mut tx, entry.id, line).await?,
        ("decision" | "reversal", _) => because(entry)?,
        _ => None,
    };
    let Some(name) = name else {
        return Ok(None);
    };
    let Some(decision) = decisions::by_public_id(&mut tx, &name).await? else {
        return Ok(None);
    };
    // A write-off of what was missing also goes when the money comes: no decision took it back.
    let taken_back_by_evidence = entry.cause_kind == "reversal"
        && entry.cause.contains(":missing:")
        && decision.action != Action::ReverseDecision.code();
    if taken_back_by_evidence {
        return Ok(None);
    }
    Ok(Some(shown(&mut tx, decision).await?))
}

/// The decision by which a line's verdict was given, if it was one.
async fn of_move(mut tx: impl Connected, entry: i64, line: i64) -> Result<Option<String>, Error> {
    let verdicts = lines::verdicts(&mut tx, line).await?;
    let given = verdicts
        .into_iter()
        .find(|v| v.entry_id == entry && v.cause_kind == "decision");
    Ok(given.map(|v| v.cause))
}

fn because(entry: &Entry) -> Result<Option<String>, Error> {
    #[derive(serde::Deserialize)]
    struct Detail {
        #[serde(default)]
        because: Option<String>,
    }
    let detail: Detail = stored::json("ledger_entry", "detail", entry.id, &entry.detail)?;
    Ok(detail.because)
}

async fn shown(mut tx: impl Connected, decision: StoredDecision) -> Result<EntryDecision, Error> {
    let id = &decision.public_id;
    let reason: ReasonCode = stored::parse("decision", "reason_code", id, &decision.reason_code)?;
    let case = cases::by_id(&mut tx, std::iter::once(decision.case_id)).await?;
    Ok(EntryDecision {
        reason: reason.title().to_owned(),
        decided_at: Instant::from_micros(decision.decided_at),
        approved_by: decisions::approver(&mut tx, decision.id)
            .await?
            .unwrap_or_default(),
        case_id: case
            .into_iter()
            .next()
            .map_or_else(String::new, |case| case.public_id),
        action: decision.action,
        comment: decision.comment,
        decided_by: decision.decider,
    })
}
