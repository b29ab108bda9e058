//! Put a held file away, since it is not to be used: it stands, its rows are counted as put away, and
//! nothing of it is ever posted. Who did so by mistake holds it again.

use super::{
    close,
    file::{self, Mover},
    report::FileReport,
    same_file::let_twins_count,
};
use crate::{
    Engine, Error, audit, in_tx,
    seal::Leaves,
    storage::{
        Tx, accounts,
        files::{self, StoredFile},
        stored,
    },
};
use domain::actor::{Actor, Permission};

/// The state of a file that was put away.
pub const WITHDRAWN: &str = "WITHDRAWN";

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Away,
    Back,
}

/// Puts a held file away.
pub async fn put_away(
    engine: &Engine,
    actor: &Actor,
    public_id: &str,
    reason: &str,
) -> Result<(), Error> {
    move_file(engine, actor, public_id, reason, Way::Away).await
}

/// Holds a file again that was put away.
pub async fn hold_again(
    engine: &Engine,
    actor: &Actor,
    public_id: &str,
    reason: &str,
) -> Result<(), Error> {
    move_file(engine, actor, public_id, reason, Way::Back).await
}

async fn move_file(
    engine: &Engine,
    actor: &Actor,
    public_id: &str,
    reason: &str,
    way: Way,
) -> Result<(), Error> {
    actor.require(Permission::Ingest)?;
    let reason: String = reason.trim().chars().take(500).collect();
    if reason.is_empty() {
        let problem = match way {
            Way::Away => "say why the file is put away",
            Way::Back => "say why the file is held again",
        };
        return Err(Error::invalid("reason", problem));
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
        check(tx, &stored, way).await?;
        // Whoever is to use it after all says so anew.
        let mut report: FileReport = stored::json("file_now", "report", public_id, &stored.report)?;
        report.accepted_by.clear();
        stored.report = stored::to_json(&report)?;
        let known = accounts::all(&mut *tx).await?;
        let provider = known.get(&account).map_or("", |a| a.name.as_str());
        let name = actor.name();
        let (state, who, what) = match way {
            Way::Away => (WITHDRAWN, "put_away_by", "file.put_away"),
            Way::Back => ("HELD", "held_again_by", "file.hold_again"),
        };
        let detail = serde_json::json!({ who: name, "reason": reason });
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let mover = Mover {
            actor: &name,
            now,
            provider,
        };
        file::step(tx, &mut leaves, &mut stored, state, &detail, mover).await?;
        close::file_cases(tx, &mut leaves, &known, &stored, now).await?;
        if way == Way::Away {
            let_twins_count(tx, &mut leaves, &known, &stored, mover).await?;
        }
        audit::record(tx, &mut leaves, actor, now, what, public_id, &detail).await?;
        leaves.write(tx).await
    })
}

/// A file that is held has posted nothing; that is looked at all the same, since what is put away must not
/// stand in the ledger.
async fn check(tx: &mut Tx, stored: &StoredFile, way: Way) -> Result<(), Error> {
    let wanted = match way {
        Way::Away => "HELD",
        Way::Back => WITHDRAWN,
    };
    if stored.state != wanted {
        return Err(Error::Conflict(match (way, stored.state.as_str()) {
            (Way::Away, WITHDRAWN) => "the file is put away already".to_owned(),
            (Way::Away, state) => format!(
                "the file is {state}, not HELD: only a file that waits for a person can be put away"
            ),
            (Way::Back, state) => format!("the file is {state}: it was not put away"),
        }));
    }
    let in_use = files::verdicts(&mut *tx, stored.id)
        .await?
        .into_iter()
        .find(|(verdict, lines)| *lines > 0 && verdict != "HELD");
    match in_use {
        Some((verdict, lines)) => Err(stored::corrupt(
            "file_verdict_now",
            "verdict",
            &stored.public_id,
            &format!("{lines} lines of a held file are {verdict}"),
        )
        .into()),
        None => Ok(()),
    }
}
