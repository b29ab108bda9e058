//! Take a used file back out of the books: it came for the wrong account, say. One person asks, a second
//! one agrees, since money moves.
//!
//! The ledger only grows: what the file's lines posted is posted the other way by new entries, on the day
//! on which the second person agreed. The lines then stand as those of a file that is held, the file as one
//! that was put away; its earlier verdicts and entries stay in the histories. What the lines displaced
//! counts again. The same bytes can then be used for another account, or for this one after all
//! ([`hold_again`](super::hold_again), then accepted).
//!
//! | File | Does |
//! |---|---|
//! | here | the words of the two people |
//! | [`work`] | the work, page by page: who dies goes on where it stands |
//! | [`lines`] | a page of lines leaves the books |
//! | [`repeats`] | rows that did not count since the file's did |

mod lines;
mod repeats;
pub mod work;

use super::{
    file::{self, Mover},
    report::{Acceptance, FileReport, TakeBack},
};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{
        Tx, accounts, decisions,
        files::{self, StoredFile},
        stored,
    },
    users::may_approve,
};
use domain::actor::{Actor, Permission};

/// The state of a file while its lines leave the books.
pub const TAKING_BACK: &str = "TAKING_BACK";

/// What asking for a file to be taken back did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakenBack {
    /// A second person must agree.
    NeedsSecond,
    /// Its lines are leaving the books.
    UnderWay,
}

/// Asks for a used file to be taken back or, where another person asked already, agrees.
pub async fn take_back(
    engine: &Engine,
    actor: &Actor,
    public_id: &str,
    reason: &str,
) -> Result<TakenBack, Error> {
    actor.require(Permission::Decide)?;
    let reason = said(reason, "say why the file is taken back")?;
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let (mut stored, mut report) = used(tx, public_id).await?;
        check(tx, &stored).await?;
        let word = Acceptance {
            actor: actor.name(),
            user_id: actor.person().map_or(0, |(id, _)| id),
            reason: reason.clone(),
        };
        let (state, what, who) = match &mut report.take_back {
            None => {
                report.take_back = Some(TakeBack {
                    asked: word,
                    agreed: None,
                    agreed_at: 0,
                });
                ("USED", "file.take_back_ask", "take_back_asked_by")
            }
            Some(asked) => {
                check_second(tx, actor, &asked.asked).await?;
                asked.agreed = Some(word);
                asked.agreed_at = now.micros();
                stored.rows_done = 0;
                stored.lines_done = 0;
                (TAKING_BACK, "file.take_back", "take_back_agreed_by")
            }
        };
        let detail = serde_json::json!({ who: actor.name(), "reason": reason });
        let stands = Stands {
            state,
            what,
            detail: &detail,
        };
        write(engine, tx, actor, &mut stored, &report, stands).await?;
        Ok(if state == TAKING_BACK {
            TakenBack::UnderWay
        } else {
            TakenBack::NeedsSecond
        })
    })
}

/// Keeps a used file that somebody wanted taken back: who asked takes that back, or another says no.
pub async fn keep(
    engine: &Engine,
    actor: &Actor,
    public_id: &str,
    reason: &str,
) -> Result<(), Error> {
    actor.require(Permission::Decide)?;
    let reason = said(reason, "say why the file is kept")?;
    in_tx!(engine.store, |tx| {
        let (mut stored, mut report) = used(tx, public_id).await?;
        if report.take_back.take().is_none() {
            return Err(Error::Conflict(
                "nobody wants this file taken back: it stays as it is".to_owned(),
            ));
        }
        let detail = serde_json::json!({ "kept_by": actor.name(), "reason": reason });
        let stands = Stands {
            state: "USED",
            what: "file.keep",
            detail: &detail,
        };
        write(engine, tx, actor, &mut stored, &report, stands).await
    })
}

fn said(reason: &str, problem: &'static str) -> Result<String, Error> {
    let reason: String = reason.trim().chars().take(500).collect();
    if reason.is_empty() {
        return Err(Error::invalid("reason", problem));
    }
    Ok(reason)
}

/// A file behind its account's gate, if it is used.
async fn used(tx: &mut Tx, public_id: &str) -> Result<(StoredFile, FileReport), Error> {
    let id = files::id_by_public_id(&mut *tx, public_id)
        .await?
        .ok_or_else(|| Error::not_found("settlement file", public_id))?;
    let account = files::by_id(&mut *tx, id).await?.account_id;
    accounts::pass_gate(tx, account).await?;
    // Behind the gate: whoever was first has been written by now.
    let stored = files::by_id(&mut *tx, id).await?;
    if stored.state != "USED" {
        return Err(Error::Conflict(match stored.state.as_str() {
            TAKING_BACK => "the file is being taken back already".to_owned(),
            "HELD" => "the file is HELD: nothing of it is posted, so put it away".to_owned(),
            state => format!("the file is {state}, not USED: there is nothing to take back"),
        }));
    }
    let report = stored::json("file_now", "report", public_id, &stored.report)?;
    Ok((stored, report))
}

/// What was decided about the file's rows is somebody's word on them: whoever takes the file back takes
/// that back first, case by case, so that no word stands about lines that are not there.
async fn check(tx: &mut Tx, stored: &StoredFile) -> Result<(), Error> {
    if let Some((name, state)) = files::busy(&mut *tx, stored.account_id).await? {
        return Err(Error::Conflict(format!(
            "work on “{name}” of this account is not done ({state}): take this file back when it is. Where \
             that work stopped, its case says why and lets it go on"
        )));
    }
    let file = hex::encode(stored.sha256.get(..8).unwrap_or_default());
    let mut cases = Vec::new();
    for what in ["line", "figures", "difference"] {
        cases.extend(decisions::cases_of_rulings(&mut *tx, &format!("{what}:{file}")).await?);
    }
    cases.sort();
    cases.dedup();
    if !cases.is_empty() {
        return Err(Error::Conflict(format!(
            "decisions about its rows stand, in {}: take those back first, on the pages of these cases",
            cases.join(", ")
        )));
    }
    let batches = files::adjusted_batches_of(&mut *tx, stored.account_id, stored.id).await?;
    if !batches.is_empty() {
        return Err(Error::Conflict(format!(
            "what is left of batch {} was accepted: take that decision back first",
            batches.join(", ")
        )));
    }
    Ok(())
}

/// The second word is an approver's, independent of the first person.
async fn check_second(tx: &mut Tx, actor: &Actor, first: &Acceptance) -> Result<(), Error> {
    let me = actor.person().map_or(0, |(id, _)| id);
    if first.user_id == me {
        return Err(Error::Conflict(
            "you asked for this already; another person must agree".to_owned(),
        ));
    }
    actor.require(Permission::Approve)?;
    if !may_approve(&mut *tx, first.user_id, me).await? {
        return Err(Error::Conflict(format!(
            "your account and that of {} are not independent of each other: somebody else must agree",
            first.actor
        )));
    }
    Ok(())
}

/// How a file stands after somebody's word, and what the audit log calls that.
struct Stands<'a> {
    state: &'static str,
    what: &'static str,
    detail: &'a serde_json::Value,
}

async fn write(
    engine: &Engine,
    tx: &mut Tx,
    actor: &Actor,
    stored: &mut StoredFile,
    report: &FileReport,
    stands: Stands<'_>,
) -> Result<(), Error> {
    let now = engine.now();
    let known = accounts::all(&mut *tx).await?;
    let provider = known.get(&stored.account_id);
    stored.report = stored::to_json(report)?;
    let mut leaves = Leaves::begin(tx, &engine.sources).await?;
    let name = actor.name();
    let mover = Mover {
        actor: &name,
        now,
        provider: provider.map_or("", |a| a.name.as_str()),
    };
    file::step(tx, &mut leaves, stored, stands.state, stands.detail, mover).await?;
    let (what, id) = (stands.what, stored.public_id.as_str());
    audit::record(tx, &mut leaves, actor, now, what, id, stands.detail).await?;
    leaves.write(tx).await
}
