//! Use a held file after all: rejected rows by one person with a reason, an untied total by two.

use super::{
    close,
    file::{self, Mover},
    report::{
        Acceptance, CUT_OFF, DAYS_FAR_APART, FileReport, HeldBecause, SAME_FILE_ELSEWHERE,
        TAKEN_BACK, TWO_PEOPLE,
    },
    same_file::{Twin, twins},
};
use crate::users::may_approve;
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{
        Tx, accounts,
        files::{self, StoredFile},
        stored,
    },
};
use domain::{
    account::ProviderAccount,
    actor::{Actor, Permission},
    matching::Accounts,
    seal::records::MACHINE,
    time::Instant,
};

/// What an acceptance did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// The file is on its way into the ledger.
    Posting,
    /// A second person must accept it as well.
    NeedsSecond,
}

/// Reasons for holding that no acceptance lifts: there is nothing in the file to use, or using it
/// would be a guess.
const FINAL: [&str; 4] = [RESTATES, "row_id_twice", "no_rows", "too_much_to_add_up"];

/// The reason for holding a file that gives rows other figures than those in use.
pub(super) const RESTATES: &str = "restates_used_rows";

/// Whether no acceptance lifts a reason for holding.
pub(crate) fn is_final(code: &str) -> bool {
    FINAL.contains(&code)
}

/// Lines that a refusal names.
const SHOWN: i64 = 20;

/// Accepts a file without its rejected rows, as decided in their case: a held one is used from now on,
/// of one that the account's policy used at once only the acceptance is noted. Says whether there is
/// work to go on with.
pub(crate) async fn accept_rows(
    tx: &mut Tx,
    leaves: &mut Leaves,
    file: &mut StoredFile,
    actor: &str,
    provider: &str,
    now: Instant,
) -> Result<bool, Error> {
    let mut report: FileReport = stored::json("file_now", "report", &file.public_id, &file.report)?;
    let held = match file.state.as_str() {
        "HELD" => true,
        "USED" if file.accepted == 0 => false,
        state => {
            return Err(Error::Conflict(format!(
                "the file is {state}: its rejected rows do not wait to be accepted"
            )));
        }
    };
    if let Some(other) = report
        .held_because
        .iter()
        .find(|h| !["rejected_rows", CUT_OFF].contains(&h.code.as_str()))
    {
        return Err(Error::Conflict(format!(
            "the file is held for another reason too: {}",
            other.message
        )));
    }
    check_usable_now(tx, file).await?;
    report.accepted_by.push(Acceptance {
        actor: actor.to_owned(),
        user_id: 0,
        reason: "decided in its case".to_owned(),
    });
    file.report = stored::to_json(&report)?;
    file.accepted = 1;
    if held {
        file.rows_done = 0;
        file.lines_done = 0;
    }
    let detail = serde_json::json!({ "accepted_by": actor, "reason": "decided in its case" });
    file::step(
        tx,
        leaves,
        file,
        if held { "POSTING" } else { "USED" },
        &detail,
        Mover {
            actor,
            now,
            provider,
        },
    )
    .await?;
    Ok(held)
}

/// Since the file was held, another may have brought its rows, here with other figures or to another
/// account: which is right is not for whoever accepts this one to guess.
async fn check_usable_now(tx: &mut Tx, file: &StoredFile) -> Result<(), Error> {
    if let Some(message) = restated(tx, file).await? {
        return Err(Error::Conflict(message));
    }
    let twin = twins(&mut *tx, file)
        .await?
        .into_iter()
        .find(Twin::may_count);
    let Some(twin) = twin else { return Ok(()) };
    let (name, account, other) = (&file.name, &twin.account, &twin.file.name);
    Err(Error::Conflict(if twin.counts() {
        format!(
            "the same file was used for account {account}, as {other}, and counts once: put {name} away, or \
             have that one taken back"
        )
    } else {
        format!(
            "the same file came for account {account}, as {other}, and counts once: put one of the two away, \
             then use the other"
        )
    }))
}

/// Holds an accepted file again where another that was accepted with it, and posted before it,
/// brought its rows with other figures. Says whether it is held.
pub(super) async fn hold_again_if_restated(
    engine: &Engine,
    account: &ProviderAccount,
    known: &Accounts,
    file: i64,
) -> Result<bool, Error> {
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        accounts::pass_gate(tx, account.id).await?;
        let mut stored = files::by_id(&mut *tx, file).await?;
        let Some(message) = restated(tx, &stored).await? else {
            return Ok(false);
        };
        let mut report: FileReport =
            stored::json("file_now", "report", &stored.public_id, &stored.report)?;
        report.held_because.push(HeldBecause {
            code: RESTATES.to_owned(),
            message,
        });
        report.accepted_by.clear();
        stored.report = stored::to_json(&report)?;
        stored.accepted = 0;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let detail = serde_json::json!({ "held_because": [RESTATES] });
        let mover = Mover {
            actor: MACHINE,
            now,
            provider: &account.name,
        };
        file::step(tx, &mut leaves, &mut stored, "HELD", &detail, mover).await?;
        close::file_cases(tx, &mut leaves, known, &stored, now).await?;
        leaves.write(tx).await?;
        Ok(true)
    })
}

/// Which rows of a file others brought with other figures, told to a person; none if none did.
async fn restated(tx: &mut Tx, file: &StoredFile) -> Result<Option<String>, Error> {
    let restated = files::restated_lines(&mut *tx, file.account_id, file.id, SHOWN).await?;
    if restated.is_empty() {
        return Ok(None);
    }
    let lines: Vec<String> = restated.iter().map(i64::to_string).collect();
    Ok(Some(format!(
        "since this file was held, another file brought rows of it with other figures (lines {}{}): the figures in use stand",
        lines.join(", "),
        if restated.len() < usize::try_from(SHOWN).unwrap_or(0) {
            ""
        } else {
            " and perhaps more"
        },
    )))
}

/// The second acceptance of an untied total is an approver's, independent of the first person.
async fn check_second(tx: &mut Tx, actor: &Actor, first: &Acceptance) -> Result<(), Error> {
    let Some((me, _)) = actor.person() else {
        return Err(Error::Conflict(
            "the second acceptance is a person's: an approver signs in and accepts the file on its page"
                .to_owned(),
        ));
    };
    if first.user_id == me {
        return Err(Error::Conflict(
            "you accepted this file already; another person must do so too".to_owned(),
        ));
    }
    actor.require(Permission::Approve)?;
    if first.user_id != 0 && !may_approve(&mut *tx, first.user_id, me).await? {
        return Err(Error::Conflict(format!(
            "your account and that of {} are not independent of each other: somebody else must accept",
            first.actor
        )));
    }
    Ok(())
}

/// Accepts a held file as it is.
pub async fn accept_file(
    engine: &Engine,
    actor: &Actor,
    public_id: &str,
    reason: &str,
) -> Result<Accepted, Error> {
    actor.require(Permission::Ingest)?;
    let reason: String = reason.trim().chars().take(500).collect();
    if reason.is_empty() {
        return Err(Error::invalid(
            "reason",
            "say why the file is used as it is",
        ));
    }
    let now = engine.now();
    in_tx!(engine.store, |tx| {
        let id = files::id_by_public_id(&mut *tx, public_id)
            .await?
            .ok_or_else(|| Error::not_found("settlement file", public_id))?;
        let account = files::by_id(&mut *tx, id).await?.account_id;
        accounts::pass_gate(tx, account).await?;
        // Behind the gate: whoever was first has been written by now.
        let mut stored = files::by_id(&mut *tx, id).await?;
        let known = accounts::all(&mut *tx).await?;
        let provider = known
            .get(&stored.account_id)
            .map_or("", |a| a.name.as_str());
        let mut report: FileReport = stored::json("file_now", "report", public_id, &stored.report)?;
        if stored.state != "HELD" {
            return Err(Error::Conflict(format!(
                "the file is {}, not HELD: nothing waits to be accepted",
                stored.state
            )));
        }
        if let Some(reason) = report
            .held_because
            .iter()
            .find(|h| is_final(&h.code) || !report.rows_written)
        {
            return Err(Error::Conflict(format!(
                "this file cannot be accepted as it is: {}",
                reason.message
            )));
        }
        check_usable_now(tx, &stored).await?;
        let name = actor.name();
        let two = report
            .held_because
            .iter()
            .any(|h| TWO_PEOPLE.contains(&h.code.as_str()));
        if let Some(first) = report.accepted_by.first().filter(|_| two) {
            check_second(tx, actor, first).await?;
        }
        report.accepted_by.push(Acceptance {
            actor: name.clone(),
            user_id: actor.person().map_or(0, |(id, _)| id),
            reason: reason.clone(),
        });
        let enough = !two || report.accepted_by.len() > 1;
        stored.report = stored::to_json(&report)?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let detail = serde_json::json!({ "accepted_by": name, "reason": reason });
        let mover = Mover {
            actor: &name,
            now,
            provider,
        };
        // A whole file covers its days, whoever else has it or took it back before; and who says that the
        // dates are right leaves nothing out.
        let whole = [SAME_FILE_ELSEWHERE, DAYS_FAR_APART, TAKEN_BACK];
        let in_part = report
            .held_because
            .iter()
            .any(|h| !whole.contains(&h.code.as_str()));
        let state = if enough {
            stored.accepted = i64::from(in_part);
            stored.rows_done = 0;
            stored.lines_done = 0;
            "POSTING"
        } else {
            "HELD"
        };
        file::step(tx, &mut leaves, &mut stored, state, &detail, mover).await?;
        audit::record(
            tx,
            &mut leaves,
            actor,
            now,
            "file.accept",
            public_id,
            &detail,
        )
        .await?;
        leaves.write(tx).await?;
        Ok(if enough {
            Accepted::Posting
        } else {
            Accepted::NeedsSecond
        })
    })
}
